/// A DER structure to be written; leaves may be secret, and then no copy of them outside wiped memory is made.
enum DERValue {
    case primitive(tag: UInt8, [UInt8])
    case secret(tag: UInt8, SecretBytes)
    /// An INTEGER from a big-endian number that is not negative; leading zeros are left out.
    case unsignedInteger(SecretBytes)
    indirect case constructed(tag: UInt8, [DERValue])
    /// An element that is encoded already, tag and length included.
    case encoded([UInt8])

    static func sequence(_ members: [DERValue]) -> DERValue {
        .constructed(tag: DERReader.Tag.sequence, members)
    }

    static func integer(_ value: UInt8) -> DERValue {
        .primitive(tag: DERReader.Tag.integer, [value])
    }

    static func unsignedInteger(_ number: [UInt8]) -> DERValue {
        .unsignedInteger(SecretBytes(number))
    }

    static func bitString(_ bytes: [UInt8]) -> DERValue {
        .primitive(tag: DERReader.Tag.bitString, [0] + bytes)
    }

    /// An OBJECT IDENTIFIER from its encoded content.
    static func objectIdentifier(_ content: [UInt8]) -> DERValue {
        .primitive(tag: DERReader.Tag.objectIdentifier, content)
    }

    static let null = DERValue.primitive(tag: DERReader.Tag.null, [])

    /// The encoding of a structure without secrets.
    var encoded: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        unsafe bytes.withUnsafeMutableBytes { target in
            var position = 0
            unsafe write(to: target, &position)
        }
        return bytes
    }

    /// The encoding of a structure with secrets.
    var encodedSecret: SecretBytes {
        unsafe SecretBytes(count: size) { target in
            var position = 0
            unsafe write(to: target, &position)
        }
    }

    private var size: Int {
        if case .encoded(let element) = self { return element.count }
        let content = contentSize
        return 1 + Self.lengthSize(content) + content
    }

    private var tag: UInt8 {
        switch self {
        case .primitive(let tag, _), .secret(let tag, _), .constructed(let tag, _): tag
        case .unsignedInteger: DERReader.Tag.integer
        case .encoded(let element): element.first ?? DERReader.Tag.null
        }
    }

    private var contentSize: Int {
        switch self {
        case .primitive(_, let content), .encoded(let content): content.count
        case .secret(_, let content): content.count
        case .unsignedInteger(let number): unsafe number.withUnsafeBytes { unsafe Self.integerSize($0) }
        case .constructed(_, let members): members.reduce(0) { $0 + $1.size }
        }
    }

    private static func lengthSize(_ count: Int) -> Int {
        var size = 1
        guard count >= 0x80 else { return size }
        var rest = count
        while rest > 0 {
            size += 1
            rest >>= 8
        }
        return size
    }

    private static func integerSize(_ number: UnsafeRawBufferPointer) -> Int {
        guard let start = unsafe number.firstIndex(where: { $0 != 0 }) else { return 1 }
        return number.count - start + (unsafe number[start] >= 0x80 ? 1 : 0)
    }

    private func write(to target: UnsafeMutableRawBufferPointer, _ position: inout Int) {
        unsafe writeHeader(to: target, &position)
        switch self {
        case .primitive(_, let content), .encoded(let content):
            for byte in content { unsafe Self.append(byte, to: target, &position) }
        case .secret(_, let content):
            unsafe content.withUnsafeBytes { unsafe Self.append($0[...], to: target, &position) }
        case .unsignedInteger(let number):
            unsafe number.withUnsafeBytes { unsafe Self.appendInteger($0, to: target, &position) }
        case .constructed(_, let members):
            for member in members { unsafe member.write(to: target, &position) }
        }
    }

    private func writeHeader(to target: UnsafeMutableRawBufferPointer, _ position: inout Int) {
        if case .encoded = self { return }
        unsafe Self.append(tag, to: target, &position)
        unsafe Self.appendLength(contentSize, to: target, &position)
    }

    private static func appendInteger(
        _ number: UnsafeRawBufferPointer,
        to target: UnsafeMutableRawBufferPointer,
        _ position: inout Int
    ) {
        let size = unsafe integerSize(number)
        let zeros = max(0, size - number.count)
        for _ in 0..<zeros { unsafe append(0, to: target, &position) }
        unsafe append(number.suffix(size - zeros), to: target, &position)
    }

    private static func appendLength(_ count: Int, to target: UnsafeMutableRawBufferPointer, _ position: inout Int) {
        let octets = lengthSize(count) - 1
        guard octets > 0 else { return unsafe append(UInt8(truncatingIfNeeded: count), to: target, &position) }
        unsafe append(0x80 | UInt8(truncatingIfNeeded: octets), to: target, &position)
        for place in (0..<octets).reversed() {
            unsafe append(UInt8(truncatingIfNeeded: count >> (8 * place)), to: target, &position)
        }
    }

    private static func append(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        to target: UnsafeMutableRawBufferPointer,
        _ position: inout Int
    ) {
        for index in unsafe bytes.indices { unsafe append(bytes[index], to: target, &position) }
    }

    private static func append(_ byte: UInt8, to target: UnsafeMutableRawBufferPointer, _ position: inout Int) {
        unsafe target[position] = byte
        position += 1
    }
}
