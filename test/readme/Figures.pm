# Figures of the benchmark in a document: tables between two comments,
#
#	<!-- figures -->
#	| what | times as good |
#	| --- | --- |
#	| scans of ten rows | 1.83 (1.73–1.89) <!-- `index: U && 10 rows, plain` --> |
#	| size | 1.20 <!-- `index: size U 1M rows`, compact --> |
#	<!-- end of figures -->
#
# The comment, which readers do not see, names a row of bench/results/results.csv, and the
# candidate if it is not spqtree.
#
# The figure is the ratio to the best rival, with the lowest and the highest ratio of a
# round; with ", value" behind the candidate, what was measured of it.
package Figures;
use strict;
use warnings;

# read_results(FILE): {row}{candidate} is the figure as text.
sub read_results
{
	my ($file) = @_;
	my (%figures, @head);

	open my $in, '<', $file or return;
	while (my $line = <$in>)
	{
		chomp $line;
		my @field = fields($line);
		if (!@head) { @head = @field; next; }
		my %row;
		@row{@head} = @field;
		$figures{ $row{row} }{"$row{candidate}, value"} = value(@row{ 'median', 'unit' });
		my ($best, $lowest, $highest) = @row{ 'times as good', 'lowest', 'highest' };
		next if !length $best;
		$figures{ $row{row} }{ $row{candidate} } =
			$lowest eq $highest ? sprintf('%.2f', $best) : sprintf("%.2f (%.2f\xe2\x80\x93%.2f)", $best, $lowest, $highest);
	}
	return \%figures;
}

# fields(LINE): of a line of CSV.
sub fields
{
	my ($line) = @_;
	my @field;

	while ($line =~ /\G("(?:[^"]|"")*"|[^,]*)(,|\z)/g)
	{
		my ($value, $end) = ($1, $2);
		$value =~ s/""/"/g if $value =~ s/^"(.*)"$/$1/;
		push @field, $value;
		last if $end eq '';
	}
	return @field;
}

# value(MEDIAN, UNIT): with a unit that suits its size.
sub value
{
	my ($median, $unit) = @_;
	if ($unit eq '1/s')
	{
		my $rounded = 0 + sprintf '%.3g', $median;
		return $rounded =~ s/(?<=\d)(?=(?:\d{3})+$)/,/gr . '/s';
	}
	($median, $unit) = $median < 1 ? ($median * 1000, "\xc2\xb5s") : $median < 1000 ? ($median, 'ms') : ($median / 1000, 's')
		if $unit eq 'ms';
	return sprintf('%.3g', $median) . " $unit";
}

# tables(TEXT): the lines of the tables, but for their heads.
sub tables
{
	my ($text) = @_;
	my @tables = $text =~ /^<!-- figures -->\n(.*?)^<!-- end of figures -->$/msg;
	return map { my (undef, undef, @lines) = split /\n/; @lines } @tables;
}

my $row = qr/^(\| (.*?) \| ([^|<]*) <!-- `([^`]+)`(?:, (\w[\w ]*(?:, value)?))? --> \|)$/;

# of_document(TEXT): the rows of the tables: [line, what, figure, row, candidate]
sub of_document
{
	my ($text) = @_;
	return map { $_ =~ $row ? [ $1, $2, $3, $4, $5 // 'spqtree' ] : () } tables($text);
}

# without_source(TEXT): the lines of the tables that do not say where their figure is from, or
# say it so that readers see it.
sub without_source
{
	my ($text) = @_;
	return grep { $_ !~ $row } tables($text);
}

# updated(TEXT, RESULTS): the document with the figures of the results.
sub updated
{
	my ($text, $results) = @_;

	foreach my $row (of_document($text))
	{
		my ($line, $what, undef, $name, $candidate) = @$row;
		my $figure = $results->{$name}{$candidate} // "\xe2\x80\x93";
		my $new = "| $what | $figure <!-- `$name`" . ($candidate eq 'spqtree' ? '' : ", $candidate") . ' --> |';
		$text =~ s/^\Q$line\E$/$new/m;
	}
	return $text;
}

1;
