# Asks all questions of a check from one process: a fork and what the question itself is cost far less than a shell with its
# readers and timer for each. Says the same answers as `ask` in check.sh, which hosts without Perl use.
use strict;
use POSIX ();
my ($base, $marker, $limit, $count) = @ARGV;
my (%asked, %stream);
my %given = %ENV;
my $mask = umask;
open my $null, "<", "/dev/null" or exit 1;
my $nothing = fileno $null;
# The time of day may be set while a question runs.
my $ticks = POSIX::sysconf(POSIX::_SC_CLK_TCK());
sub now { return (POSIX::times())[0] / $ticks }
my $tell = sub {
  my ($text) = @_;
  for (my $at = 0; $at < length $text; ) {
    my $sent = syswrite STDOUT, $text, length($text) - $at, $at;
    if (defined $sent) { $at += $sent } elsif (!$!{EINTR}) { stop() }
  }
};
sub stop {
  kill "KILL", map { -$_->{pid} } values %asked;
  exit 1;
}
$SIG{$_} = \&stop for qw(HUP INT TERM PIPE);

# All is read before the first fork: what parent or child touches after one is copied page by page, and on small virtual
# machines that cost more than the fork and the question together.
sub prepare {
  my ($number) = @_;
  my $here = "$base/$number";
  my %order;
  open my $file, "<", "$here/order" or die "order: $!";
  while (<$file>) { $order{$1} = $2 if /^(\S+) (.*)$/ }
  close $file;
  my %env = (
    PATH => $order{path}, HOME => $order{home}, USER => $order{user}, LOGNAME => $order{user}, LANG => "C.UTF-8",
    CAPSTAN_PARAMS => "$here/in/params.json", CAPSTAN_INPUTS => "$here/in/inputs", CAPSTAN_OUTPUTS => "$here/out",
    CAPSTAN_SECRETS => "$here/in/secrets",
  );
  if (length($given{CAPSTAN_LAB_HOST} // "")) {
    $env{$_} = $given{$_} for grep { /^(?:HOST_ROOT|HOSTNAME|TMPDIR|CAPSTAN_LAB_[A-Z0-9_]*)$/ && length $given{$_} } keys %given;
  }
  my @program = ("/bin/sh", "$here/in/job", "$here/in");
  my $drop = $order{drop};
  if ($drop ne "none") {
    @program = ("env", "-i", (map { "$_=$env{$_}" } keys %env), @program);
    unshift @program, $drop eq "lab" ? ($given{CAPSTAN_LAB_AS}, $order{user})
      : $drop eq "runuser" ? ("runuser", "-u", $order{user}, "--")
      : ("setpriv", "--reuid=$order{uid}", "--regid=$order{gid}", "--init-groups", "--");
  }
  return {
    number => $number, timeout => $order{timeout}, program => \@program, home => $order{home},
    env => $drop eq "none" ? \%env : \%given, words => $drop eq "none" ? scalar job("$here/in") : undef,
  };
}

# The job as its shell would read it, as its variables and its words: each program that is started costs more than all the
# rest. It is written by Capstan in one form only; what is not of that form is left to the shell.
sub job {
  my ($in) = @_;
  open my $file, "<", "$in/job" or return;
  my $job = do { local $/; <$file> };
  my $quoted = qr/\x27([^\x27]*(?:\x27\\\x27\x27[^\x27]*)*)\x27/;
  my %exported;
  return if $job !~ /\Gumask 022\ncd "\$HOME" 2>\/dev\/null \|\| cd \/\n/gc;
  while ($job =~ /\Gexport (\w+)=$quoted\n/gc) { $exported{$1} = $2 }
  return if $job !~ /\Gexec(?= )/gc;
  my @words;
  while ($job =~ /\G (?:$quoted|("\$1\/script"))/gc) { push @words, defined $2 ? "$in/script" : $1 }
  return if !@words || $job !~ /\G\n\z/gc;
  s/\x27\\\x27\x27/\x27/g for values %exported, @words;
  return [\%exported, \@words];
}

# Variables, umask and folder are set before the fork and inherited: in the child each would be a page to copy.
sub start {
  my ($one) = @_;
  %ENV = %{ $one->{env} };
  my $direct = $one->{words};
  if ($direct) {
    umask 022;
    %ENV = (%ENV, %{ $direct->[0] }, PWD => chdir($one->{home}) ? $one->{home} : chdir("/") && "/");
  }
  pipe(my $out, my $out_end) && pipe(my $err, my $err_end) or die "pipe: $!";
  my @ends = (fileno $out_end, fileno $err_end);
  my $pid;
  select undef, undef, undef, 0.05 until defined($pid = fork);
  if ($pid == 0) {
    POSIX::setsid();
    POSIX::dup2($nothing, 0);
    POSIX::dup2($ends[0], 1);
    POSIX::dup2($ends[1], 2);
    exec { $direct->[1][0] } @{ $direct->[1] } if $direct;
    # What cannot be started is left to the shell, too, and to its words.
    %ENV = %{ $one->{env} };
    umask $mask;
    exec { $one->{program}[0] } @{ $one->{program} };
    POSIX::_exit(127);
  }
  umask $mask;
  @{$one}{qw(pid until stopped open)} = ($pid, now() + $one->{timeout}, "no", 2);
  $one->{text} = ["", ""];
  $asked{ $one->{number} } = $one;
  $stream{fileno $out} = [$one, 0, $out];
  $stream{fileno $err} = [$one, 1, $err];
}

sub shut {
  my ($number) = @_;
  $stream{$number}[0]{open}--;
  close((delete $stream{$number})->[2]);
}

sub take {
  my ($number) = @_;
  my ($one, $which, $from) = @{ $stream{$number} };
  my $got = sysread $from, $one->{text}[$which], 65536, length $one->{text}[$which];
  return if !defined $got && $!{EINTR};
  shut($number) if !$got || length $one->{text}[$which] >= $limit;
}

# What keeps the output open beyond the question's end, in a session of its own even, holds the answer up to its timeout.
sub attend {
  my ($one, $now) = @_;
  if (!defined $one->{code} && waitpid($one->{pid}, POSIX::WNOHANG()) == $one->{pid}) {
    $one->{code} = $? & 127 ? 128 + ($? & 127) : $? >> 8;
    kill "KILL", -$one->{pid};
  }
  if ($now >= $one->{until}) {
    $one->{stopped} = "yes" if !defined $one->{code};
    $one->{late} //= $now + 0.3;
    kill "KILL", -$one->{pid} if !defined $one->{code};
  }
  if (defined $one->{late} && $now >= $one->{late}) {
    shut($_) for grep { $stream{$_}[0] == $one } keys %stream;
  }
  return if !defined $one->{code} || $one->{open};
  my ($out, $err) = map { length > $limit ? substr $_, 0, $limit : $_ } @{ $one->{text} };
  delete $asked{ $one->{number} };
  $tell->("$marker answer $one->{number} $one->{code} $one->{stopped} " . length($out) . " " . length($err) . "\n$out$err");
}

open my $begun, ">", "$base/begun" or exit 1;
close $begun;
my @waiting = map { prepare($_) } 1 .. $count;
while (%asked || @waiting) {
  # A process may have 1,024 files open, and each question takes two.
  start(shift @waiting) while @waiting && keys %asked < 200;
  my $wanted = "";
  vec($wanted, $_, 1) = 1 for 0, keys %stream;
  # One whose outputs are closed is about to end; else only its time matters.
  my $soon = grep { !$_->{open} } values %asked;
  my $ready = select(my $have = $wanted, undef, undef, $soon ? 0.002 : 0.1);
  if ($ready > 0) {
    take($_) for grep { vec $have, $_, 1 } keys %stream;
    # Nothing more is sent, so only the end of the channel can be there.
    stop() if vec($have, 0, 1) && !sysread STDIN, my $rest, 65536;
  }
  my $now = now();
  attend($_, $now) for values %asked;
}
