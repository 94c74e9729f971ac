# A session of psql whose statements can be sent without waiting for their end.
package Session;

use strict;
use warnings;

use IO::Select;
use IPC::Open2;

# After this many seconds a session is taken to hang.
my $patience = 120;

sub new
{
	my ($class, $node, $database) = @_;
	my $self = bless { number => 0, buffer => '' }, $class;

	# errors come in line with the output
	$self->{pid} = open2($self->{out}, $self->{in}, 'sh', '-c', 'exec psql -XAtq -f - -d "$0" 2>&1', $node->connstr($database));
	$self->{in}->autoflush(1);
	$self->{select} = IO::Select->new($self->{out});
	return $self;
}

# Send statements, with their semicolons.
sub post
{
	my ($self, $sql) = @_;
	my $number = ++$self->{number};

	local $SIG{PIPE} = 'IGNORE';
	print { $self->{in} } "$sql\n\\echo done $number\n";
	return;
}

# Wait for the end of what was sent last.  Returns what it has printed.
sub receive
{
	my ($self) = @_;
	my $end = "done $self->{number}\n";

	until (substr($self->{buffer}, -length $end) eq $end)
	{
		die "a session hangs: $self->{buffer}" if !$self->{select}->can_read($patience);
		sysread($self->{out}, $self->{buffer}, 65536, length $self->{buffer}) or die "a session has ended: $self->{buffer}";
	}
	my $printed = substr($self->{buffer}, 0, -length $end);
	$self->{buffer} = '';
	chomp $printed;
	return $printed;
}

# Execute a statement that must not fail.
sub must
{
	my ($self, $sql) = @_;

	$self->post("$sql;");
	my $printed = $self->receive;
	die "$sql: $printed" if $printed =~ /^psql:.*(?:ERROR|FATAL|PANIC)/m;
	return $printed;
}

sub DESTROY
{
	my ($self) = @_;

	# psql may wait for a server that hangs
	local $? = 0;
	kill 'TERM', $self->{pid};
	close $self->{in};
	waitpid $self->{pid}, 0;
	return;
}

1;
