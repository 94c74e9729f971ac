# The pages of an SP-GiST index in its file: where everything is, and functions to change it.
# Byte orders and sizes are those of the machines that the tests run on (little endian, pages
# of 8 kB); nothing else in the project relies on them.
#
#	file	{pages}		list of pages, as strings
#	tuple	{block} {item} {at}: where, {at} in the page; {length}; {state}
#			inner: {same} {prefix_size} {size} {nodes}
#			leaf:  {size} {next}
#	node	{at} {label} {block} {item}: of the downlink, 0 if none
package IndexFile;

use strict;
use warnings;

use constant {
	PAGE => 8192,
	LIVE => 0,
	REDIRECT => 1,
	DEAD => 2,
	PLACEHOLDER => 3,
	LEAF => 4,
	NULLS => 8,
};

sub new
{
	my ($class, $path) = @_;
	open my $in, '<:raw', $path or die "$path: $!";
	local $/ = undef;
	my $bytes = <$in>;
	close $in;
	my @pages = unpack '(a' . PAGE . ')*', $bytes;
	return bless { pages => \@pages }, $class;
}

sub write
{
	my ($self, $path) = @_;
	open my $out, '>:raw', $path or die "$path: $!";
	print $out @{ $self->{pages} };
	close $out or die "$path: $!";
	return;
}

# Return values of a page, by the letters of unpack.
sub get
{
	my ($self, $block, $at, $template) = @_;
	return unpack "x$at $template", $self->{pages}[$block];
}

sub put
{
	my ($self, $block, $at, $template, @values) = @_;
	my $bytes = pack $template, @values;
	substr($self->{pages}[$block], $at, length $bytes) = $bytes;
	return;
}

sub last_item
{
	my ($self, $block) = @_;
	my $lower = $self->get($block, 12, 'v');
	return $lower > 24 ? ($lower - 24) / 4 : 0;
}

sub flags { my ($self, $block) = @_; return $self->get($block, PAGE - 8, 'v'); }

# Return the offset, state and length in a line pointer.
sub line_pointer
{
	my ($self, $block, $item) = @_;
	my $bits = $self->get($block, 20 + 4 * $item, 'V');
	return ($bits & 0x7FFF, $bits >> 15 & 3, $bits >> 17);
}

sub put_line_pointer
{
	my ($self, $block, $item, $offset, $flags, $length) = @_;
	$self->put($block, 20 + 4 * $item, 'V', $offset | $flags << 15 | $length << 17);
	return;
}

sub tuple
{
	my ($self, $block, $item) = @_;
	my ($at, $used, $length) = $self->line_pointer($block, $item);
	my %tuple = (block => $block, item => $item, at => $at, length => $length);
	my $bits = $self->get($block, $at, 'V');

	$tuple{state} = $bits & 3;
	return \%tuple if $tuple{state} != LIVE;
	$tuple{nulls} = $self->flags($block) & NULLS;
	if ($self->flags($block) & LEAF)
	{
		$tuple{leaf} = 1;
		$tuple{size} = $bits >> 2;
		$tuple{next} = $self->get($block, $at + 4, 'v') & 0x3FFF;
		return \%tuple;
	}
	$tuple{same} = $bits >> 2 & 1;
	$tuple{prefix_size} = $bits >> 16;
	$tuple{size} = $self->get($block, $at + 4, 'v');
	my $node = $at + 8 + $tuple{prefix_size};
	for (1 .. $bits >> 3 & 0x1FFF)
	{
		my ($high, $low, $offset, $info) = $self->get($block, $node, 'v4');
		my $label = $tuple{nulls} ? 0 : $self->get($block, $node + 8, 'Q<');
		push @{ $tuple{nodes} },
		  {
			at => $node,
			index => scalar @{ $tuple{nodes} || [] },
			label => $label,
			number => $label >> 59,
			block => $offset ? $high << 16 | $low : 0,
			item => $offset
		  };
		$node += $info & 0x1FFF;
	}
	return \%tuple;
}

# Return every tuple of the file, as a list.
sub tuples
{
	my ($self) = @_;
	my @tuples;
	for my $block (1 .. $#{ $self->{pages} })
	{
		push @tuples, $self->tuple($block, $_) for 1 .. $self->last_item($block);
	}
	return @tuples;
}

# Return the inner tuples from a root down, each with {depth} and {above}, the tuple that
# leads to it; each of their nodes has {chain}, its leaf tuples, if any.
sub tree
{
	my ($self, $root) = @_;
	my @todo = ([ $root, 1, 0, undef ]);
	my @inner;
	while (my $place = shift @todo)
	{
		my ($block, $item, $depth, $above) = @$place;
		my $tuple = $self->tuple($block, $item);
		die "no inner tuple in block $block, item $item" unless $tuple->{nodes};
		$tuple->{depth} = $depth;
		$tuple->{above} = $above;
		push @inner, $tuple;
		for my $node (@{ $tuple->{nodes} })
		{
			next unless $node->{item};
			my $child = $self->tuple($node->{block}, $node->{item});
			if ($child->{nodes})
			{
				push @todo, [ $node->{block}, $node->{item}, $depth + 1, $tuple ];
			}
			elsif ($child->{leaf})
			{
				for (my $leaf = $child; $leaf; $leaf = $leaf->{next} ? $self->tuple($leaf->{block}, $leaf->{next}) : undef)
				{
					push @{ $node->{chain} }, $leaf;
				}
			}
		}
	}
	return @inner;
}

# Change a downlink; without a block, remove it.
sub put_downlink
{
	my ($self, $tuple, $node, $block, $item) = @_;
	my @tid = defined $block ? ($block >> 16, $block & 0xFFFF, $item) : (0xFFFF, 0xFFFF, 0);
	$self->put($tuple->{block}, $node->{at}, 'v3', @tid);
	return;
}

sub put_next
{
	my ($self, $leaf, $next) = @_;
	my $info = $self->get($leaf->{block}, $leaf->{at} + 4, 'v');
	$self->put($leaf->{block}, $leaf->{at} + 4, 'v', $info & 0xC000 | $next);
	return;
}

# Change the first 32 bits of a tuple.
sub put_bits
{
	my ($self, $tuple, $clear, $set) = @_;
	my $bits = $self->get($tuple->{block}, $tuple->{at}, 'V');
	$self->put($tuple->{block}, $tuple->{at}, 'V', $bits & ~$clear | $set);
	return;
}

sub box { my ($self, $leaf) = @_; return $self->get($leaf->{block}, $leaf->{at} + 16, 'd<4'); }

sub put_box
{
	my ($self, $leaf, @corners) = @_;
	$self->put($leaf->{block}, $leaf->{at} + 16, 'd<4', @corners);
	return;
}

1;
