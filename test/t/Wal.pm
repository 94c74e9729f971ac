# The WAL of a server as a list of records, and a way to give it to another server record
# by record.
#
#	segments of pg_wal, as one string
#	| page header | record | record | rec... | page header | ...ord | record | ... | zeros
#	                       ^ end of a record: a standby that reads its pg_wal gets the bytes
#	                         up to here, then zeros, and waits for more
#
# A record is a hash:
#	{start} {end}	LSNs; {end} is what pg_last_wal_replay_lsn() returns after it
#	{rmid} {info}	resource manager, and what kind of record
#	{blocks}		of each page: {rel} (its file) {fork} {block}; {image}, a page; {data_at}
#					{data_length}, in the record; and {data}, if the file is of interest
#
# Pages have 8 kB, here and in the WAL, and numbers are little endian, as in IndexFile.pm.
package Wal;

use strict;
use warnings;

use constant {
	PAGE => 8192,
	RM_XLOG => 0,
	RM_XACT => 1,
	RM_GENERIC => 20,
	HEADER => 24,    # of a record
	CRC_AT => 20,
};

sub number_of_lsn
{
	my ($lsn) = @_;
	my ($high, $low) = $lsn =~ m{^([0-9A-F]+)/([0-9A-F]+)$}i or die "no LSN: $lsn";
	return hex($high) << 32 | hex($low);
}

sub lsn_of_number { my ($number) = @_; return sprintf '%X/%X', $number >> 32, $number & 0xFFFFFFFF; }

# new DIRECTORY, SEGMENT SIZE, FROM, TO: the WAL between two ends of records, of timeline 1.
sub new
{
	my ($class, $directory, $segment_size, $from, $to) = @_;
	my $begin = $from - $from % $segment_size;
	my $self = bless { size => $segment_size, from => $from, to => $to, begin => $begin, bytes => '' }, $class;

	for (my $at = $begin; $at < $to; $at += $segment_size)
	{
		my $path = "$directory/" . $self->_file($at);
		open my $in, '<:raw', $path or die "$path: $!";
		my $segment;
		my $got = read $in, $segment, $segment_size;
		die "$path is too short" unless defined $got and $got == $segment_size;
		close $in;
		$self->{bytes} .= $segment;
	}
	return $self;
}

# The same WAL, to be changed.
sub copy
{
	my ($self) = @_;
	return bless {%$self}, ref $self;
}

# The name of the segment with an LSN.
sub _file
{
	my ($self, $lsn) = @_;
	my $number = int($lsn / $self->{size});
	my $in_four_gigabytes = int(2**32 / $self->{size});
	return sprintf '%08X%08X%08X', 1, int($number / $in_four_gigabytes), $number % $in_four_gigabytes;
}

sub _page_header
{
	my ($self, $lsn) = @_;
	my $long = unpack('v', substr $self->{bytes}, $lsn - $self->{begin} + 2, 2) & 2;
	return $long ? 40 : 24;
}

# Where the bytes of a record are, which begins at an LSN: list of [place in the string,
# length], and the LSN behind them.
sub _pieces
{
	my ($self, $lsn, $length) = @_;
	my @pieces;

	while ($length > 0)
	{
		$lsn += $self->_page_header($lsn) if $lsn % PAGE == 0;
		my $here = PAGE - $lsn % PAGE;
		$here = $length if $here > $length;
		push @pieces, [ $lsn - $self->{begin}, $here ];
		$lsn += $here;
		$length -= $here;
	}
	return (\@pieces, $lsn);
}

# All records.  files: those of interest, as keys.
sub records
{
	my ($self, $files) = @_;
	my @records;

	for (my $lsn = $self->{from}; $lsn < $self->{to};)
	{
		$lsn += $self->_page_header($lsn) if $lsn % PAGE == 0;
		last if $lsn >= $self->{to};
		my $length = unpack 'V', substr $self->{bytes}, $lsn - $self->{begin}, 4;
		die 'no record at ' . lsn_of_number($lsn) if $length < HEADER;
		my ($pieces, $end) = $self->_pieces($lsn, $length);
		my $bytes = join '', map { substr $self->{bytes}, $_->[0], $_->[1] } @$pieces;
		my ($info, $rmid) = unpack 'x16 C C', $bytes;

		$end = ($end + 7) & ~7;
		push @records, { start => $lsn, end => $end, length => $length, rmid => $rmid, info => $info, blocks => _blocks($bytes, $files) };
		# a switch to the next segment
		$end += -$end % $self->{size} if $rmid == RM_XLOG && ($info & 0xF0) == 0x40;
		$lsn = $end;
	}
	return @records;
}

# The pages of a record (access/xlogrecord.h).
sub _blocks
{
	my ($bytes, $files) = @_;
	my ($at, $data, $rel) = (HEADER, 0, undef);
	my @blocks;

	while (length($bytes) - $at > $data)
	{
		my $id = ord substr $bytes, $at++, 1;
		if ($id == 255 || $id == 254)
		{
			$at += $id == 255 ? 1 : 4;
			last;
		}
		if ($id == 253 || $id == 252)
		{
			$at += $id == 253 ? 2 : 4;
			next;
		}
		die "block number $id in a record" if $id > 32;
		my ($flags, $length) = unpack 'C v', substr $bytes, $at, 3;
		my %block = (fork => $flags & 0x0F, data_length => $length);
		$at += 3;
		$data += $length;
		if ($flags & 0x10)
		{
			@block{qw(image_length hole_at image_info)} = unpack 'v v C', substr $bytes, $at, 5;
			$at += 5;
			$data += $block{image_length};
			# not compressed: wal_compression is off
			die 'a compressed page' if $block{image_info} & 0x1C;
		}
		if (!($flags & 0x80))
		{
			$rel = unpack 'x8 V', substr $bytes, $at, 12;
			$at += 12;
		}
		$block{rel} = $rel;
		$block{block} = unpack 'V', substr $bytes, $at, 4;
		$at += 4;
		push @blocks, \%block;
	}
	for my $block (@blocks)
	{
		my $wanted = $files->{ $block->{rel} };
		if (defined $block->{image_length})
		{
			my $image = substr $bytes, $at, $block->{image_length};
			substr($image, $block->{hole_at}, 0) = "\0" x (PAGE - $block->{image_length}) if $wanted && $block->{image_info} & 1;
			$block->{image} = $image if $wanted;
			$at += $block->{image_length};
		}
		$block->{data_at} = $at;
		$block->{data} = substr $bytes, $at, $block->{data_length} if $wanted;
		$at += $block->{data_length};
	}
	return \@blocks;
}

# Replay the page of a block in memory: from the page before to the page after.  Beside it
# returns the data that would leave the page as it is.
sub redo
{
	my ($block, $before) = @_;
	my ($after, $undo) = ($before, $block->{data});

	return ($block->{image}, undef) if defined $block->{image};
	for (my $at = 0; $at < $block->{data_length};)
	{
		my ($offset, $length) = unpack 'v v', substr $block->{data}, $at, 4;
		$at += 4;
		substr($undo, $at, $length) = substr $before, $offset, $length;
		substr($after, $offset, $length) = substr $block->{data}, $at, $length;
		$at += $length;
	}
	return ($after, $undo);
}

# Replace the data of a block, with a new checksum of the record.
sub replace
{
	my ($self, $record, $block, $data) = @_;
	my ($pieces) = $self->_pieces($record->{start}, $record->{length});
	my $bytes = join '', map { substr $self->{bytes}, $_->[0], $_->[1] } @$pieces;
	my $crc = unpack 'V', substr $bytes, CRC_AT, 4;

	die 'wrong checksum computed' if _checksum($bytes) != $crc;
	substr($bytes, $block->{data_at}, $block->{data_length}) = $data;
	substr($bytes, CRC_AT, 4) = pack 'V', _checksum($bytes);
	substr($self->{bytes}, $_->[0], $_->[1]) = substr $bytes, 0, $_->[1], '' for @$pieces;
	return;
}

# CRC-32C of a record: of what is behind its header, then of the header.
my @crc_of_byte = map {
	my $crc = $_;
	$crc = $crc & 1 ? $crc >> 1 ^ 0x82F63B78 : $crc >> 1 for 1 .. 8;
	$crc
} 0 .. 255;

sub _checksum
{
	my ($bytes) = @_;
	my $crc = 0xFFFFFFFF;
	$crc = $crc >> 8 ^ $crc_of_byte[ ($crc ^ $_) & 0xFF ] for unpack 'C*', substr($bytes, HEADER) . substr($bytes, 0, CRC_AT);
	return $crc ^ 0xFFFFFFFF;
}

# Write what is between two LSNs to a pg_wal.  Zeros follow.  The first call for a
# directory begins at {begin}.
sub feed
{
	my ($self, $directory, $from, $to) = @_;

	while ($from < $to)
	{
		my $in_segment = $from % $self->{size};
		my $length = $self->{size} - $in_segment;
		$length = $to - $from if $length > $to - $from;
		my $path = "$directory/" . $self->_file($from);
		my $bytes = substr $self->{bytes}, $from - $self->{begin}, $length;

		# a new segment appears as a whole
		my ($mode, $to_write) = $in_segment == 0 ? ('>:raw', "$path.new") : ('+<:raw', $path);
		open my $out, $mode, $to_write or die "$to_write: $!";
		$bytes .= "\0" x ($self->{size} - $length) if $in_segment == 0;
		sysseek $out, $in_segment, 0 or die "$to_write: $!";
		my $written = syswrite $out, $bytes;
		die "$to_write: $!" unless defined $written and $written == length $bytes;
		close $out or die "$to_write: $!";
		$to_write eq $path or rename $to_write, $path or die "$path: $!";
		$from += $length;
	}
	return;
}

1;
