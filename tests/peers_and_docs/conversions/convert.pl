# What Perl's Encode makes of each job on its standard input: a line `FROM TO LENGTH`, and so many
# bytes. The answer to each is a line `LENGTH`, and so many bytes.
use strict;
use warnings;
use Encode qw(decode encode);

binmode STDIN;
binmode STDOUT;
while (my $job = <STDIN>) {
    my ($source, $target, $length) = split ' ', $job;
    read(STDIN, my $bytes, $length);
    my $text = decode($source, $bytes, sub { "\x{FFFD}" });
    my $answer = encode($target, $text, sub { "" });
    print length $answer, "\n", $answer;
}
