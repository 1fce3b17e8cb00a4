// What Java makes of each job on its standard input: a line `FROM TO LENGTH`, and so many bytes.
// The answer to each is a line `LENGTH`, and so many bytes. Besides Java's charsets there are
// `modified`, as DataOutput.writeUTF writes and DataInput.readUTF reads, and `units`, UTF-16
// code units as they are.
import java.io.*;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.*;
import java.util.Arrays;

class Convert {
    public static void main(String[] args) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
        OutputStream out = new BufferedOutputStream(System.out);
        for (String job; !(job = line(in)).isEmpty(); ) {
            String[] words = job.split(" ");
            byte[] bytes = new byte[Integer.parseInt(words[2])];
            in.readFully(bytes);
            byte[] answer = encode(words[1], decode(words[0], bytes));
            out.write((answer.length + "\n").getBytes(StandardCharsets.US_ASCII));
            out.write(answer);
        }
        out.flush();
    }

    static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next; (next = in.read()) > '\n'; ) line.append((char) next);
        return line.toString();
    }

    static CharBuffer decode(String name, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        switch (name) {
            case "modified": return CharBuffer.wrap(read(bytes));
            case "units": return buffer.asCharBuffer();
            default: return Charset.forName(name).decode(buffer);
        }
    }

    static byte[] encode(String name, CharBuffer text) throws IOException {
        switch (name) {
            case "modified": return write(text);
            case "units":
                ByteBuffer units = ByteBuffer.allocate(2 * text.length());
                units.asCharBuffer().put(text);
                return units.array();
            default:
                CharsetEncoder encoder = Charset.forName(name).newEncoder();
                encoder.onMalformedInput(CodingErrorAction.IGNORE);
                ByteBuffer bytes =
                    encoder.onUnmappableCharacter(CodingErrorAction.IGNORE).encode(text);
                return Arrays.copyOf(bytes.array(), bytes.limit());
        }
    }

    /** readUTF reads 65,535 bytes at most, behind their number: cut between two characters. */
    static String read(byte[] bytes) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int from = 0, to; from < bytes.length; from = to) {
            to = Math.min(bytes.length, from + 0xFFFF);
            while (to < bytes.length && (bytes[to] & 0xC0) == 0x80) to--;
            ByteArrayOutputStream record = new ByteArrayOutputStream();
            new DataOutputStream(record).writeShort(to - from);
            record.write(bytes, from, to - from);
            byte[] whole = record.toByteArray();
            text.append(new DataInputStream(new ByteArrayInputStream(whole)).readUTF());
        }
        return text.toString();
    }

    static byte[] write(CharBuffer text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (text.hasRemaining()) {
            char[] some = new char[Math.min(text.remaining(), 0xFFFF / 3)];
            text.get(some);
            ByteArrayOutputStream record = new ByteArrayOutputStream();
            new DataOutputStream(record).writeUTF(new String(some));
            bytes.write(record.toByteArray(), 2, record.size() - 2);
        }
        return bytes.toByteArray();
    }
}
