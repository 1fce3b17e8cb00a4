# What tclsh makes of each job on its standard input: a line `FROM TO LENGTH`, and so many bytes.
# The answer to each is a line `LENGTH`, and so many bytes.
fconfigure stdin -translation binary
fconfigure stdout -translation binary
while {[gets stdin job] >= 0} {
    lassign $job source target length
    set text [encoding convertfrom $source [read stdin $length]]
    set answer [encoding convertto $target $text]
    puts [string length $answer]
    puts -nonewline $answer
}
