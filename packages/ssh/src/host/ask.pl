# Asks all questions of a check from one process: a fork and what the question itself is cost far less than a shell with its
# readers and timer for each. Says the same answers as `ask` in check.sh, which hosts without Perl use.
use strict;
use POSIX ();
my ($base, $marker, $limit, $count) = @ARGV;
my (%asked, %stream);
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

sub start {
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
  if (length($ENV{CAPSTAN_LAB_HOST} // "")) {
    $env{$_} = $ENV{$_} for grep { /^(?:HOST_ROOT|HOSTNAME|TMPDIR|CAPSTAN_LAB_[A-Z0-9_]*)$/ && length $ENV{$_} } keys %ENV;
  }
  my @program = ("/bin/sh", "$here/in/job", "$here/in");
  my $drop = $order{drop};
  if ($drop ne "none") {
    @program = ("env", "-i", (map { "$_=$env{$_}" } keys %env), @program);
    unshift @program, $drop eq "lab" ? ($ENV{CAPSTAN_LAB_AS}, $order{user})
      : $drop eq "runuser" ? ("runuser", "-u", $order{user}, "--")
      : ("setpriv", "--reuid=$order{uid}", "--regid=$order{gid}", "--init-groups", "--");
  }
  pipe(my $out, my $out_end) && pipe(my $err, my $err_end) or die "pipe: $!";
  my $pid;
  select undef, undef, undef, 0.05 until defined($pid = fork);
  if ($pid == 0) {
    POSIX::setsid();
    open STDIN, "<", "/dev/null";
    open STDOUT, ">&", $out_end;
    open STDERR, ">&", $err_end;
    if ($drop eq "none") {
      %ENV = %env;
      become("$here/in");
    }
    exec { $program[0] } @program;
    POSIX::_exit(127);
  }
  my $one = { number => $number, pid => $pid, until => now() + $order{timeout}, stopped => "no", text => ["", ""], open => 2 };
  $asked{$number} = $one;
  $stream{fileno $out} = [$one, 0, $out];
  $stream{fileno $err} = [$one, 1, $err];
}

# The job as its shell would read it: each program that is started costs more than all the rest. It is written by Capstan in
# one form only; what is not of that form, or cannot be started, is left to the shell and its words.
sub become {
  my ($in) = @_;
  open my $file, "<", "$in/job" or return;
  my $job = do { local $/; <$file> };
  my $quoted = qr/\x27([^\x27]*(?:\x27\\\x27\x27[^\x27]*)*)\x27/;
  my %given;
  return if $job !~ /\Gumask 022\ncd "\$HOME" 2>\/dev\/null \|\| cd \/\n/gc;
  while ($job =~ /\Gexport (\w+)=$quoted\n/gc) { $given{$1} = $2 }
  return if $job !~ /\Gexec(?= )/gc;
  my @words;
  while ($job =~ /\G (?:$quoted|("\$1\/script"))/gc) { push @words, defined $2 ? "$in/script" : $1 }
  return if !@words || $job !~ /\G\n\z/gc;
  s/\x27\\\x27\x27/\x27/g for values %given, @words;
  my %before = %ENV;
  my $mask = umask 022;
  @ENV{ keys %given } = values %given;
  $ENV{PWD} = chdir($before{HOME}) ? $before{HOME} : chdir("/") && "/";
  exec { $words[0] } @words;
  %ENV = %before;
  umask $mask;
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
my $next = 1;
while (%asked || $next <= $count) {
  # A process may have 1,024 files open, and each question takes two.
  start($next++) while $next <= $count && keys %asked < 200;
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
