# Figures of the benchmark in a document: tables between two comments,
#
#	<!-- figures -->
#	| what | times as good | row |
#	| --- | --- | --- |
#	| scans of ten rows | 1.83 (1.73–1.89) | `index: U && 10 rows, plain` |
#	| size | 1.20 | `index: size U 1M rows`, compact |
#	<!-- end of figures -->
#
# whose last column names a row of bench/results/results.csv, and the candidate if it is
# not spqtree. Where readers need not see it, it is a comment behind the figure:
#
#	| size | 1.20 <!-- `index: size U 1M rows`, compact --> |
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

# of_document(TEXT): the rows of the tables: [line, what, figure, row, candidate]
sub of_document
{
	my ($text) = @_;
	my $tables = join '', $text =~ /^<!-- figures -->\n(.*?)^<!-- end of figures -->$/msg;
	return map { /^(\| (.*?) \| ([^|<]*) (?:\||<!--) `([^`]+)`(?:, (\w[\w ]*(?:, value)?))? (?:--> )?\|)$/ ? [ $1, $2, $3, $4, $5 // 'spqtree' ] : () }
		split /\n/, $tables;
}

# updated(TEXT, RESULTS): the document with the figures of the results.
sub updated
{
	my ($text, $results) = @_;

	foreach my $row (of_document($text))
	{
		my ($line, $what, undef, $name, $candidate) = @$row;
		my $figure = $results->{$name}{$candidate} // "\xe2\x80\x93";
		my $source = "`$name`" . ($candidate eq 'spqtree' ? '' : ", $candidate");
		my $new = "| $what | $figure " . ($line =~ /<!--/ ? "<!-- $source -->" : "| $source") . ' |';
		$text =~ s/^\Q$line\E$/$new/m;
	}
	return $text;
}

1;
