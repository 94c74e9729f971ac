# Writes the figures of bench/results/results.csv into README.md: see Figures.pm.
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
open my $in, '<', "$top/README.md" or die "cannot read README.md: $!\n";
my $text = do { local $/; <$in> };
$text = Figures::updated($text, $results);
open my $out, '>', "$top/README.md" or die "cannot write README.md: $!\n";
print $out $text;
close $out or die "cannot write README.md: $!\n";
foreach my $row (Figures::of_document($text))
{
	print "no such row: $row->[3], $row->[4]\n" if !defined $results->{ $row->[3] }{ $row->[4] };
}
