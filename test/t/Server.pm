# A node (Checked.pm) whose safe_psql() keeps its session, because starting psql and a backend
# takes longer than most statements of the tests, and whose reload() waits until the settings
# are in force.
#
#	safe_psql     psql --- statements, statements, ... ---|
#	                  DISCARD ALL before each call        ends with an error, a crash, stop
#
# DISCARD ALL makes the session nearly like a new one: settings, roles, temporary tables, plans
# and locks are gone. But the library stays loaded, and ALTER DATABASE SET or ALTER ROLE SET
# do not affect an existing session. Tests that depend on this call forget_session(), or use
# Checked. Only sessions in the database postgres are kept, so that other databases can be
# dropped.
package Server;

use strict;
use warnings;
use parent 'Checked';

use IPC::Run ();
use PostgreSQL::Test::Utils ();    # imports nothing: imported functions would be methods
use Time::HiRes ();

sub safe_psql
{
	my ($self, $database, $sql, %params) = @_;

	return $self->SUPER::safe_psql($database, $sql, %params) if $database ne 'postgres' or %params;

	# DISCARD ALL fails in a transaction, or if the server has ended since
	for my $attempt (1 .. 2)
	{
		my $session = $self->{kept_session} ||= $self->_start_session;
		my $ready = $session->{number}++;

		_ask($session, "DISCARD ALL;\n\\echo ready $ready\n$sql\n;\n\\echo done $ready\n\\warn done $ready\n", qr/^done $ready\n\z/m);
		my ($out, $err, $status) = @$session{qw(out err status)};
		my $reached = $out =~ s/\Aready $ready\n//;
		@$session{qw(out err)} = ('', '');
		if (defined $status)
		{
			delete $self->{kept_session};
			next unless $reached or $attempt > 1;
			die "error running SQL: '$err'\nwhile running psql with sql '$sql'" if $status == 3;
			die "psql returns $status: '$err'\nwith sql '$sql'";
		}
		$out =~ s/^done $ready\n\z//m;
		$err =~ s/^done $ready\n\z//m;
		chomp $out;
		chomp $err;
		print "#### Begin standard error\n$err\n#### End standard error\n" if $err ne '';
		return $out;
	}
}

# Make the next call of safe_psql() start a new session.
sub forget_session
{
	my ($self) = @_;
	my $session = delete $self->{kept_session} or return;

	_ask($session, "\\q\n", qr/(?!)/);
	return;
}

# Reload the configuration, and wait until the session of safe_psql() has read it: the signal
# may reach it after its next statement.  The postmaster has read it before, so new sessions have
# the settings, too.
sub reload
{
	my ($self, @rest) = @_;
	my $before = $self->safe_psql('postgres', 'SELECT pg_conf_load_time()');

	$self->SUPER::reload(@rest);
	for (1 .. 100 * $PostgreSQL::Test::Utils::timeout_default)
	{
		return if $self->safe_psql('postgres', "SELECT pg_conf_load_time() > '$before'") eq 't';
		Time::HiRes::usleep(10_000);
	}
	die 'the server does not reload its configuration';
}

# Wait until the server is back after the crash of a backend.  log: the size of its log before.
# Until the postmaster has noticed the crash, new sessions can begin, but they are ended then.
sub wait_for_recovery
{
	my ($self, $log) = @_;

	$self->wait_for_log(qr/all server processes terminated; reinitializing.*database system is ready to accept connections/s, $log);
	return;
}

sub stop
{
	my ($self, @rest) = @_;

	$self->forget_session;
	return $self->SUPER::stop(@rest);
}

sub _start_session
{
	my ($self) = @_;
	my $session = { in => '', out => '', err => '', number => 1 };
	local %ENV = $self->_get_env();

	$session->{timer} = IPC::Run::timer($PostgreSQL::Test::Utils::timeout_default);
	$session->{run} = IPC::Run::start([ $self->installed_command('psql'), '-XAtq', '-d', $self->connstr('postgres'), '-f', '-', '-v', 'ON_ERROR_STOP=1' ],
		'<', \$session->{in}, '>', \$session->{out}, '2>', \$session->{err}, $session->{timer});
	return $session;
}

# Give psql lines to read, and wait until its output and its standard error match the
# pattern.  If psql ends instead, its status is in $session->{status}.
sub _ask
{
	my ($session, $lines, $end) = @_;

	$session->{in} .= $lines;
	$session->{timer}->start;
	local $SIG{PIPE} = 'IGNORE';
	until ($session->{out} =~ $end && $session->{err} =~ $end)
	{
		die "psql timed out: stderr: '$session->{err}'\nwith: $lines" if $session->{timer}->is_expired;
		next if eval { $session->{run}->pumpable } and eval { $session->{run}->pump; 1 };
		eval { $session->{run}->finish };
		$session->{status} = $session->{run}->result(0) || 0;
		last;
	}
	return;
}

1;
