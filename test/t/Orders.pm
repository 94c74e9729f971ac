# Orders of the steps of sessions.  Each session executes one statement, and stops at points
# of the code (src/inject.h, action "step").  A controller lets one session go on at a
# time, so its choices make an order:
#
#	insertion   begin---lock 1--.                 .--lock 3---ended
#	VACUUM                      '--begin---lock 0-'                 '--lock 1---ended
#
# An order is repeated by repeating its choices, on a new table.  All orders are
# tried, depth first, in which no more than a certain number of switches, the
# preemptions, leave a session that could go on.  (Few preemptions find most faults of
# concurrency, and the number of orders grows with a power of theirs.)  A session that waits for
# another one cannot go on; if all that are left wait, that is a deadlock.
package Orders;

use strict;
use warnings;

use Session;
use Test::More;
use Time::HiRes qw(time);

# The node runs, and has the extension in the database postgres.
sub new
{
	my ($class, $node) = @_;
	my $self = bless { node => $node, sessions => [] }, $class;

	# in another database, so that its snapshots do not keep VACUUM from removing rows
	$node->safe_psql('postgres', 'CREATE DATABASE controller');
	$node->safe_psql($_, q(
		CREATE FUNCTION spq_inject_begin() RETURNS void LANGUAGE c AS '$libdir/spqtree';
		CREATE FUNCTION spq_inject_go(session int, begun int) RETURNS text LANGUAGE c AS '$libdir/spqtree';
		CREATE FUNCTION spq_inject_end(session int) RETURNS void LANGUAGE c AS '$libdir/spqtree'))
	  for 'postgres', 'controller';
	$self->open_sessions;
	return $self;
}

# Begin the sessions, again after a crash: the controller, one that prepares and judges, and
# those that are stepped.
sub open_sessions
{
	my ($self) = @_;

	$self->{controller} = Session->new($self->{node}, 'controller');
	$self->{main} = Session->new($self->{node}, 'postgres');
	$self->{sessions} = [];
	return;
}

# Begin as many sessions as a scenario has, with its settings.
sub begin_scenario
{
	my ($self, $scenario) = @_;
	my $steps = $scenario->{sessions};

	for my $n (0 .. $#$steps)
	{
		my $session = $self->{sessions}[$n] ||= Session->new($self->{node}, 'postgres');
		my $points = $steps->[$n]{points} || $scenario->{points} || 'lock entered';
		my $inject = join(', ', "page full $scenario->{full}", map { "$_ step $n" } split / /, $points);

		$session->must("SELECT spq_inject_end($n)");
		$session->must('RESET ALL');
		$session->must("SET spqtree.inject = '$inject'");
		$session->must($steps->[$n]{settings}) if $steps->[$n]{settings};
	}
	$self->{main}->must("SET spqtree.inject = 'page full $scenario->{full}'");
	return;
}

# What happens in an order, in words.
sub words
{
	my ($scenario, @went) = @_;
	return join(', ', map { $scenario->{sessions}[ $_->[0] ]{name} . " from $_->[1]" } @went);
}

# Make the choices given, and then, up to the end, those that come first; add the latter to
# the list.  With "last", end after that many choices.  Returns the order: what each session
# printed, which had ended when each began, and what happened.
sub follow
{
	my ($self, $scenario, $choices, $preemptions, $last) = @_;
	my $sessions = $scenario->{sessions};
	my @state = ('begin') x @$sessions;
	my ($begun, $current, $spent) = (0, -1, 0);
	my %order = (went => [], printed => [], before => []);

	$self->{main}->must($_) for @{ $scenario->{setup} };
	$self->{controller}->must('SELECT spq_inject_begin()');
	for (my $number = 0; !defined $last || $number < $last; $number++)
	{
		my @can = grep { $state[$_] ne 'blocked' && $state[$_] ne 'ended' } 0 .. $#state;
		last if !@can;

		my $choice = $choices->[$number];
		my $states = join(',', @state);
		if (!$choice)
		{
			my @options = @can;
			if (grep { $_ == $current } @can)
			{
				@options = ($current);
				push @options, grep { $_ != $current } @can if $spent < $preemptions;
			}
			$choice = { states => $states, options => \@options, at => 0 };
			push @$choices, $choice;
		}
		elsif ($choice->{states} ne $states)
		{
			die "an order cannot be repeated: " . words($scenario, @{ $order{went} }) . ": $states, not $choice->{states}";
		}

		my $chosen = $choice->{options}[ $choice->{at} ];
		$spent++ if $chosen != $current && grep { $_ == $current } @can;
		$current = $chosen;
		push @{ $order{went} }, [ $chosen, $state[$chosen] ];
		my $stopped = $chosen;
		if ($state[$chosen] eq 'begin')
		{
			$begun |= 1 << $chosen;
			$stopped = 'NULL';
			$order{before}[$chosen] = [ grep { $state[$_] eq 'ended' } 0 .. $#state ];
			$self->{sessions}[$chosen]->post("$sessions->[$chosen]{sql};\nSELECT spq_inject_end($chosen) \\g /dev/null\n");
		}
		my @at = split /,/, $self->{controller}->must("SELECT spq_inject_go($stopped, $begun)");
		for my $n (0 .. $#state)
		{
			$state[$n] = shift @at if $begun & 1 << $n;
		}
	}
	$self->{steps} += @{ $order{went} };
	$order{end} = \@state;
	return \%order if defined $last;
	die 'deadlock: ' . words($scenario, @{ $order{went} }) . ': ' . join(',', @state) if grep { $_ eq 'blocked' } @state;
	$order{printed} = [ map { $_->receive } @{ $self->{sessions} }[ 0 .. $#state ] ];
	return \%order;
}

# Go to the next order: change the last choice that has an option left.  Returns the number of
# choices that remain as they were, or nothing if there is no other order.
sub next_order
{
	my ($choices) = @_;

	while (@$choices)
	{
		my $choice = $choices->[-1];
		return $#$choices if ++$choice->{at} < @{ $choice->{options} };
		pop @$choices;
	}
	return;
}

# What is wrong after an order; nothing if all is well.  Each session printed no error; a
# scan, the rows that its snapshot had; the index is sound and has the rows of the table.
sub judge
{
	my ($self, $scenario, $order) = @_;
	my $sessions = $scenario->{sessions};
	my @wrong;

	for my $n (0 .. $#$sessions)
	{
		my $session = $sessions->[$n];
		my $expected = '';
		my $printed = $order->{printed}[$n];
		if ($session->{scan})
		{
			my @rows = sort { $a <=> $b } @{ $scenario->{rows} }, map { @{ $sessions->[$_]{adds} || [] } } @{ $order->{before}[$n] };
			$expected = join("\n", @rows);
			# in order of distance, that of ids
			$printed = join("\n", sort { $a <=> $b } split /\n/, $printed) if $session->{scan} eq 'any order' && $printed =~ /^[\d\n]*\z/;
		}
		push @wrong, "$session->{name} printed " . ($printed =~ s/\n/,/gr) . ', not ' . ($expected =~ s/\n/,/gr) if $printed ne $expected;
	}
	my $verdict = $self->{main}->must('SELECT verdict()');
	push @wrong, $verdict if $verdict ne '';
	return join('; ', @wrong);
}

# Try all orders of a scenario:
#
#	name, full       pages with that many entries count as full
#	setup            SQL, statements
#	rows             ids of the rows that are visible after that
#	sessions         of each: name, sql, settings, points, adds (ids of rows it inserts), scan
#	                 ('any order' or 'in order': it prints ids)
#	preemptions
#
# Returns what is wrong.
sub try_all
{
	my ($self, %scenario) = @_;
	my $began = time;
	my ($orders, @choices, @wrong) = (0);

	$self->{steps} = 0;
	$self->begin_scenario(\%scenario);
	do
	{
		my $order = $self->follow(\%scenario, \@choices, $scenario{preemptions});
		my $wrong = $self->judge(\%scenario, $order);
		push @wrong, "$wrong\n    in the order " . words(\%scenario, @{ $order->{went} }) if $wrong ne '';
		$orders++;
	} while (@wrong < 3 && defined next_order(\@choices));
	$self->report(\%scenario, "$orders orders", $began);
	return join("\n", @wrong);
}

sub report
{
	my ($self, $scenario, $what, $began) = @_;
	note sprintf '%s: %s, %d steps, at most %d preemptions, %.1f s', $scenario->{name}, $what, $self->{steps}, $scenario->{preemptions}, time - $began;
	return;
}

# Crash after each step of all orders that has written a record of the index.  After recovery,
# and after each of the statements "afterwards", the index has to be sound.  With "every",
# crash only after one step in this many.
sub crash_in_all
{
	my ($self, %scenario) = @_;
	my $began = time;
	my ($orders, $crashes, $candidates, @choices, @wrong) = (0, 0, 0);
	my $kept = 0;

	$self->{steps} = 0;
	do
	{
		$self->begin_scenario(\%scenario);
		$self->follow(\%scenario, \@choices, $scenario{preemptions});
		$orders++;
		# the steps that this order shares with the one before were tried with that
		for my $last ($kept + 1 .. $#choices)
		{
			my $from = (split /,/, $choices[$last]{states})[ $choices[ $last - 1 ]{options}[ $choices[ $last - 1 ]{at} ] ];
			next if $from !~ /^(split|posted|grow|widened|codes|freed|taken)/ || $candidates++ % $scenario{every};
			my $order = $self->follow(\%scenario, \@choices, $scenario{preemptions}, $last);
			$self->{controller}->must(q(SELECT pg_logical_emit_message(true, '', '')));
			$self->{node}->stop('immediate');
			$self->{node}->start;
			$self->open_sessions;
			$self->begin_scenario(\%scenario);
			$crashes++;
			my $wrong = $self->{main}->must('SELECT verdict()');
			foreach my $sql (@{ $scenario{afterwards} })
			{
				$self->{main}->must($sql);
				$wrong .= $self->{main}->must('SELECT verdict()');
			}
			push @wrong, "$wrong\n    crash in the order " . words(\%scenario, @{ $order->{went} }) if $wrong ne '';
		}
	} while (@wrong < 3 && defined($kept = next_order(\@choices)));
	$self->report(\%scenario, "$crashes crashes in $orders orders", $began);
	return join("\n", @wrong);
}

1;
