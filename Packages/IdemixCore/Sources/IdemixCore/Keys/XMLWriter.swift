import CryptoCore

/// Writes a key's XML as the other implementations do: three spaces of indentation, no newline at the end.
///
/// The text may be a private key's, so all of it is kept in storage that is wiped.
struct XMLWriter {
    private var parts: [SecretBytes] = []
    private let root: String
    private var indentation = "   "

    init(root: String) {
        self.root = root
        append(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="no"?>
            <\(root) xmlns="http://www.zurich.ibm.com/security/idemix">

            """
        )
    }

    /// Writes an element that holds text only.
    mutating func write(_ name: String, _ content: String, attributes: String = "") {
        write(name, SecretBytes(copying: content.utf8), attributes: attributes)
    }

    /// Writes an element that holds a number.
    mutating func write(_ name: String, _ number: BigInteger) {
        let digits = number.decimalDigits
        let count = unsafe digits.withUnsafeBytes { unsafe $0.prefix { $0 != 0 }.count }
        write(name, unsafe digits.withUnsafeBytes { unsafe SecretBytes(copying: $0.prefix(count)) })
    }

    /// Writes an element that holds text only, which may be secret.
    mutating func write(_ name: String, _ content: SecretBytes, attributes: String = "") {
        append("\(indentation)<\(name)\(attributes)>")
        parts.append(content)
        append("</\(name)>\n")
    }

    /// Writes an element that holds others.
    mutating func element(_ name: String, attributes: String = "", _ content: (inout XMLWriter) -> Void) {
        append("\(indentation)<\(name)\(attributes)>\n")
        indentation += "   "
        content(&self)
        indentation.removeLast(3)
        append("\(indentation)</\(name)>\n")
    }

    /// The document.
    consuming func finish() -> SecretBytes {
        append("</\(root)>")
        return SecretBytes(joining: parts)
    }

    private mutating func append(_ text: String) {
        parts.append(SecretBytes(copying: text.utf8))
    }
}
