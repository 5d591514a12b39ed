/// Writes a key's XML as the other implementations do: three spaces of indentation, no newline at the end.
struct XMLWriter {
    private var text: String
    private let root: String
    private var indentation = "   "

    init(root: String) {
        self.root = root
        text = """
            <?xml version="1.0" encoding="UTF-8" standalone="no"?>
            <\(root) xmlns="http://www.zurich.ibm.com/security/idemix">

            """
    }

    /// Writes an element that holds text only.
    mutating func write(_ name: String, _ content: String, attributes: String = "") {
        text += "\(indentation)<\(name)\(attributes)>\(content)</\(name)>\n"
    }

    /// Writes an element that holds a number.
    mutating func write(_ name: String, _ number: BigInteger) {
        write(name, number.decimal)
    }

    /// Writes an element that holds others.
    mutating func element(_ name: String, attributes: String = "", _ content: (inout XMLWriter) -> Void) {
        text += "\(indentation)<\(name)\(attributes)>\n"
        indentation += "   "
        content(&self)
        indentation.removeLast(3)
        text += "\(indentation)</\(name)>\n"
    }

    /// The document.
    consuming func finish() -> [UInt8] {
        Array((text + "</\(root)>").utf8)
    }
}
