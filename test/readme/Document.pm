# A document in Markdown whose blocks are run, in order, and compared with the output
# that it shows. Kinds of blocks:
#
#	```sql      psql, in the database mydb: one session for the whole document
#	```sh       one bash, in the directory where the block before ended
#	```text     the exact output of the last of these
#	```lua, ```python and others are not run, but are in a file that a test runs (see below)
#	```         without a language: a drawing, not checked
#
# A comment before a block, invisible to readers, sets options:
#
#	<!-- test: figures vary -->    numbers are compared as N, spaces and dashes as one
#	<!-- test: fails -->           the block ends with an error, which is its output
#	<!-- test: new session -->     it is the first block of another session of psql
#	<!-- test: needs EXTENSION --> skipped where the server cannot create this extension
#	<!-- test: in FILE -->         its lines are in this file, in this order
#	<!-- test: not run: REASON --> a block that no test can run; counted as skipped
#	<!-- test: from PostgreSQL 18 -->  skipped on older servers
#
# In output, a line "..." stands for any number of lines. Differences between versions of
# PostgreSQL are ignored: see same_form().
package Document;
use strict;
use warnings;

# read_blocks(TEXT): a list of {kind, text, line, heading, figures_vary, fails, new_session,
# needs, in, not_run, from}
sub read_blocks
{
	my ($text) = @_;
	my (@blocks, $block, %said, $heading);
	my $number = 0;

	foreach my $line (split /\n/, $text)
	{
		$number++;
		if ($block)
		{
			if ($line =~ /^```\s*$/)
			{
				push @blocks, $block;
				undef $block;
			}
			else
			{
				$block->{text} .= "$line\n";
			}
		}
		elsif ($line =~ /^```(\w*)\s*$/)
		{
			$block = { kind => $1, text => '', line => $number, heading => $heading, %said };
			%said = ();
		}
		elsif ($line =~ /^<!-- test: (.*) -->$/)
		{
			my $what = $1;
			if ($what eq 'figures vary') { $said{figures_vary} = 1; }
			elsif ($what eq 'fails') { $said{fails} = 1; }
			elsif ($what eq 'new session') { $said{new_session} = 1; }
			elsif ($what =~ /^needs (\w+)$/) { $said{needs} = $1; }
			elsif ($what =~ /^in (\S+)$/) { $said{in} = $1; }
			elsif ($what =~ /^not run: (.+)$/) { $said{not_run} = $1; }
			elsif ($what =~ /^from PostgreSQL (\d+)$/) { $said{from} = $1; }
			else { die "line $number: unknown option \"$what\"\n"; }
		}
		elsif ($line =~ /^#+ (.*)$/)
		{
			$heading = $1;
		}
		die "line $number: the comment is not before a block\n" if %said && $line =~ /\S/ && $line !~ /^<!-- test: /;
	}
	die "line $block->{line}: the block has no end\n" if $block;
	return @blocks;
}

# The part that is the same in all versions of PostgreSQL.
sub same_form
{
	my ($output, $figures_vary) = @_;
	my @lines;

	foreach (split /\n/, $output)
	{
		s/\s+$//;
		next if /^\s*Index Searches: \d+$/;    # from 18 on
		s/(actual rows=\d+)\.00\b/$1/;          # from 18 on
		s/^psql:\S+:\d+: //;
		if ($figures_vary)
		{
			s/\d[\d,]*(\.\d+)?/N/g;
			s/-{2,}/--/g;
			s/ +/ /g;
			s/^ $//;
		}
		push @lines, $_;
	}
	pop @lines while @lines && $lines[-1] eq '';
	shift @lines while @lines && $lines[0] eq '';
	return @lines;
}

# difference(SHOWN, PRINTED, FIGURES_VARY): the first difference, or nothing.
sub difference
{
	my ($shown, $printed, $figures_vary) = @_;
	my @shown = same_form($shown, $figures_vary);
	my @printed = same_form($printed, $figures_vary);
	my $pattern = join "\n", map { /^\s*\.\.\.$/ ? "\0" : quotemeta } @shown;

	# "..." with the end of its line; in the last place, with that before it
	$pattern =~ s/\n\0$/(?:\\n.*)*/;
	$pattern =~ s/\0\n/(?:.*\\n)*/g;
	return if join("\n", @printed) =~ /\A$pattern\z/;
	return join "\n", 'shown:', (map { "  $_" } @shown), 'printed:', (map { "  $_" } @printed);
}

# run_block(BLOCK, PRINTED_BEFORE, RUN): the problem, or undef; and the output.
# RUN->{sql} and RUN->{sh} run a text and return exit status and output; RUN->{file} returns the
# text of a file; RUN->{new_session} ends the session of psql; RUN->{available} says whether there
# is an extension of this name; RUN->{version} returns the version of the server.
sub run_block
{
	my ($block, $before, $run) = @_;

	if ($block->{kind} eq 'text')
	{
		return 'there is no block before whose output it could be' if !defined $before;
		return difference($block->{text}, $before, $block->{figures_vary});
	}
	$run->{new_session}->() if $block->{new_session};
	my ($status, $output) = $run->{ $block->{kind} }->($block->{text});
	my $problem;
	if ($block->{fails})
	{
		$problem = "it should end with an error, and does not\n$output" if $status == 0;
	}
	else
	{
		$problem = "exit status $status\n$output" if $status != 0;
	}
	return ($problem, $output);
}

# begins_with_needs(TEXT): does the document say, before its first command, what must be there? It
# does so in a paragraph that begins with "**You need**".
sub begins_with_needs
{
	my ($text) = @_;
	my ($first) = grep { $_->{kind} =~ /^(sql|sh)$/ } read_blocks($text);
	return 1 if !$first;
	my @before = (split /\n/, $text)[ 0 .. $first->{line} - 1 ];
	return scalar grep { /^\*\*You need\*\* / } @before;
}

# absent_line(TEXT, FILE): the first line of a block that the text of a file does not have after
# the lines before it, or nothing. Indentation does not count.
sub absent_line
{
	my ($text, $file) = @_;
	my @there = map { s/^\s+|\s+$//gr } split /\n/, $file;

	foreach my $line (grep { $_ ne '' } map { s/^\s+|\s+$//gr } split /\n/, $text)
	{
		shift @there while @there && $there[0] ne $line;
		return $line if !@there;
		shift @there;
	}
	return;
}

# check(TEXT, RUN, REPORT): runs a document. REPORT is called with the name of each step,
# a problem or undef, and the reason if it was skipped. Returns the number of blocks of
# each kind.
sub check
{
	my ($text, $run, $report) = @_;
	my (%count, $printed);

	foreach my $block (read_blocks($text))
	{
		my $kind = $block->{kind};
		next if $kind eq '';
		$count{$kind}++;
		my ($first) = grep { /\S/ && !/^--/ } split /\n/, $block->{text};
		$first = '' if !defined $first;
		$block->{not_run} = "needs PostgreSQL $block->{from}" if $block->{from} && $run->{version}->() < $block->{from};
		$first = substr($first, 0, 47) . '...' if length $first > 50;
		my $name = sprintf 'line %d, %s: %s', $block->{line}, $kind, $first;
		if ($block->{in})
		{
			my $absent = absent_line($block->{text}, $run->{file}->($block->{in}));
			$report->($name, defined $absent ? "$block->{in} does not have: $absent" : undef);
			undef $printed;
		}
		elsif ($kind ne 'text' && !$run->{$kind})
		{
			$report->($name, "nobody knows how to run this");
		}
		elsif ($block->{needs} && !$run->{available}->($block->{needs}))
		{
			$report->($name, undef, "the server has no $block->{needs}");
			undef $printed;
		}
		elsif ($block->{not_run})
		{
			$report->($name, undef, $block->{not_run});
			undef $printed;
		}
		else
		{
			my ($problem, $output) = run_block($block, $printed, $run);
			$report->($name, $problem);
			$printed = $output if $kind ne 'text';
		}
	}
	return \%count;
}

1;
