# A PostgreSQL::Test::Cluster with checksums, which all versions have then.  In the end,
# pg_checksums verifies all pages of each node: a page whose checksum is wrong was changed
# while it was written, or was damaged.
#
#	init --- tests --- done_testing()
#	                   '-- stop, pg_checksums --check, for each node
#
# A test that changes files itself calls init(checksums => 0), and says why.  Its nodes have
# no checksums, by which the server would notice the damage before we do.
package Checked;

use strict;
use warnings;
use parent 'PostgreSQL::Test::Cluster';

use IPC::Run              ();
use PostgreSQL::Test::Utils ();    # imports nothing: imported functions would be methods
use Test2::API            ();
use Test::More            ();

my @nodes;

sub init
{
	my ($self, %params) = @_;
	my $checksums = delete $params{checksums};

	$self->{no_checksums} = defined $checksums && !$checksums;
	# 18 has checksums unless told otherwise
	my @option = !$self->{no_checksums} ? '--data-checksums' : $self->pg_version >= 18 ? '--no-data-checksums' : ();
	push @nodes, $self;
	return $self->SUPER::init(%params, extra => [ @option, @{ $params{extra} || [] } ]);
}

sub init_from_backup
{
	my ($self, $root, @rest) = @_;

	$self->{no_checksums} = $root->{no_checksums};
	push @nodes, $self;
	return $self->SUPER::init_from_backup($root, @rest);
}

# Run a program on the data directory.  Return its output, and whether it succeeded.
sub _look
{
	my ($self, @command) = @_;
	my $output = '';

	$command[0] = $self->installed_command($command[0]);
	my $succeeded = IPC::Run::run([ @command, '-D', $self->data_dir ], '>&', \$output);
	return ($output, $succeeded);
}

# Test that the checksums of all pages are right.  This stops the server.
sub checksums_ok
{
	my ($self, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	$self->stop if defined $self->{_pid};
	if (($self->_look('pg_controldata'))[0] !~ /^Database cluster state: +shut down/m)
	{
		# a test ended it by a crash
		$self->start;
		$self->stop;
	}
	my ($output, $succeeded) = $self->_look('pg_checksums', '--check');
	my ($pages) = $output =~ /Blocks scanned: +(\d+)/;
	return Test::More::ok($succeeded && $pages, $self->name . ": checksums are right: $name") || Test::More::diag($output);
}

# Before the plan is printed, but not if the test died.
Test2::API::test2_stack()->top->follow_up(
	sub {
		return if ${^GLOBAL_PHASE} ne 'RUN';
		foreach my $node (@nodes)
		{
			next if $node->{no_checksums} || !-e $node->data_dir . '/global/pg_control';
			$node->checksums_ok('all pages, in the end');
		}
	});

1;
