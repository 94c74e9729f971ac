# Writes the figures of bench/results/results.csv into README.md and docs: see Figures.pm.
#
#	perl test/readme/figures.pl
use strict;
use warnings;
use Cwd 'abs_path';
use File::Basename;
use lib dirname(abs_path(__FILE__));
use Figures;

my $top = abs_path(dirname(abs_path(__FILE__)) . '/../..');
my $results = Figures::read_results("$top/bench/results/results.csv")
	or die "bench/results/results.csv cannot be read: make bench writes it\n";
foreach my $document ("$top/README.md", glob "$top/docs/*.md")
{
	open my $in, '<', $document or die "cannot read $document: $!\n";
	my $old = do { local $/; <$in> };
	close $in;
	my $text = Figures::updated($old, $results);
	if ($text ne $old)
	{
		open my $out, '>', $document or die "cannot write $document: $!\n";
		print $out $text;
		close $out or die "cannot write $document: $!\n";
	}
	foreach my $row (Figures::of_document($text))
	{
		print "no such row: $row->[3], $row->[4]\n" if !defined $results->{ $row->[3] }{ $row->[4] };
	}
}
