# The pages of an index of access method spqtree in its file, and functions to change them;
# src/rtree/page/page.h draws a page.  Byte orders and sizes are those of the machines that
# the tests run on (little endian, pages of 8 kB).
package TreeFile;

use strict;
use warnings;

use parent 'IndexFile';

use constant {
	INCOMPLETE => 0x0100,
	HAS_NAN => 0x0200,
	WIDE => 0x0001,
	SOLID => 0x0010,
	IS_NULLS => 0x0400,
	FREE => 0x0800,
	SETTLED => 0x1000,
	SPECIAL => 8192 - 48,
	NONE => 0xFFFFFFFF,
};

sub is_zero { my ($self, $block) = @_; return $self->get($block, 14, 'v') == 0; }
sub next_of { my ($self, $block) = @_; return $self->get($block, SPECIAL + 32, 'V'); }
sub level { my ($self, $block) = @_; return $self->get($block, SPECIAL + 36, 'v'); }
sub flags { my ($self, $block) = @_; return $self->get($block, SPECIAL + 38, 'v'); }
sub count { my ($self, $block) = @_; return $self->get($block, SPECIAL + 40, 'v'); }
sub splits { my ($self, $block) = @_; return $self->get($block, SPECIAL + 44, 'V'); }
sub put_splits { my ($self, $block, $splits) = @_; $self->put($block, SPECIAL + 44, 'V', $splits); return; }
sub put_next { my ($self, $block, $next) = @_; $self->put($block, SPECIAL + 32, 'V', $next); return; }
sub put_level { my ($self, $block, $level) = @_; $self->put($block, SPECIAL + 36, 'v', $level); return; }
sub put_flags { my ($self, $block, $flags) = @_; $self->put($block, SPECIAL + 38, 'v', $flags); return; }
sub put_count { my ($self, $block, $count) = @_; $self->put($block, SPECIAL + 40, 'v', $count); return; }

# Return the number of axes of a page: two or three.
sub axes { my ($self, $block) = @_; return $self->flags($block) & SOLID ? 3 : 2; }

# Offsets of the parts of an entry; ends are high x, y (z), low x, y (z).
sub group_size
{
	my ($self, $block) = @_;
	return 128 * $self->axes($block) + 64 if $self->level($block) > 0;
	return 128 * $self->axes($block) + ($self->flags($block) & WIDE ? 72 : 56);
}

sub group_at { my ($self, $block, $entry) = @_; return 24 + int($entry / 8) * $self->group_size($block); }
sub end_at { my ($self, $block, $entry, $end) = @_; return $self->group_at($block, $entry) + 64 * $end + 8 * ($entry % 8); }
sub behind_ends { my ($self, $block, $entry) = @_; return $self->end_at($block, $entry - $entry % 8, 2 * $self->axes($block)); }
sub child_at { my ($self, $block, $entry) = @_; return $self->behind_ends($block, $entry) + 4 * ($entry % 8); }
sub stop_at { my ($self, $block, $entry) = @_; return $self->behind_ends($block, $entry) + 32 + 4 * ($entry % 8); }
sub tid_at { my ($self, $block, $entry) = @_; return $self->behind_ends($block, $entry) + 6 * ($entry % 8); }
sub dead_at { my ($self, $block, $entry) = @_; return $self->behind_ends($block, $entry) + 48; }
sub payload_at { my ($self, $block, $entry) = @_; return $self->behind_ends($block, $entry) + 56 + 2 * ($entry % 8); }
sub promise_at { my ($self, $block, $end) = @_; return 8192 - 16 - 16 * $self->axes($block) + 8 * $end; }
sub child { my ($self, $block, $entry) = @_; return $self->get($block, $self->child_at($block, $entry), 'V'); }
sub stop { my ($self, $block, $entry) = @_; return $self->get($block, $self->stop_at($block, $entry), 'V'); }

# Return the blocks of a level that have entries, except those of nulls.
sub blocks_of_level
{
	my ($self, $level) = @_;
	return grep { !$self->is_zero($_) && $self->level($_) == $level && !($self->flags($_) & IS_NULLS) && $self->count($_) > 0 } 1 .. $#{ $self->{pages} };
}

sub blocks_of_nulls
{
	my ($self) = @_;
	return grep { !$self->is_zero($_) && $self->flags($_) & IS_NULLS } 2 .. $#{ $self->{pages} };
}

1;
