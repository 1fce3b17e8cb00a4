// The tables of Java's charsets. Standard input has lines `NAME BEFORE AFTER`: a charset, and the
// bytes before and after each sequence in hex, or `-`. The answer to each is a line: the canonical
// name, and the text of each sequence of one byte, and of two if the first alone is none; code points
// are in hex, and joined by `+`. A sequence that is refused is `-`.
import java.io.*;
import java.nio.*;
import java.nio.charset.*;
import java.util.HexFormat;

class Tables {
    static CharsetDecoder decoder;
    static byte[] before, after;
    static final CharBuffer text = CharBuffer.allocate(64);

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out)));
        for (String job; (job = in.readLine()) != null; ) {
            String[] words = job.split(" ");
            Charset charset = Charset.forName(words[0]);
            decoder = charset.newDecoder();
            before = bytes(words[1]);
            after = bytes(words[2]);
            out.print(charset.name().replace(' ', '_'));
            for (int lead = 0; lead < 0x100; lead++) {
                String alone = read((byte) lead);
                out.print(" " + alone);
                for (int trail = 0; trail < 0x100 && alone.equals("-"); trail++)
                    out.print(" " + read((byte) lead, (byte) trail));
            }
            out.println();
        }
        out.flush();
    }

    static byte[] bytes(String hex) {
        return hex.equals("-") ? new byte[0] : HexFormat.of().parseHex(hex);
    }

    static String read(byte... sequence) {
        ByteBuffer all = ByteBuffer.allocate(before.length + sequence.length + after.length);
        all.put(before).put(sequence).put(after).flip();
        decoder.reset();
        text.clear();
        boolean whole = decoder.decode(all, text, true).isUnderflow() && decoder.flush(text).isUnderflow();
        if (!whole || text.position() == 0) return "-";
        StringBuilder points = new StringBuilder();
        text.flip();
        text.codePoints().forEach(c -> points.append(points.length() > 0 ? "+" : "").append(Integer.toHexString(c)));
        return points.toString();
    }
}
