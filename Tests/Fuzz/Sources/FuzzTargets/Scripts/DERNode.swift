/// An editable element of DER with its parts; those of an OCTET STRING or BIT STRING with DER in it are that DER.
struct DERNode {
    private let tag: UInt8
    /// The bytes before the parts: the count of unused bits of a BIT STRING.
    private let prefix: [UInt8]
    private let content: [UInt8]
    private(set) var children: [DERNode]

    /// Reads an element; nil for bytes other than one with a short tag and a definite length.
    init?(_ bytes: [UInt8]) {
        guard let (node, rest) = Self.read(bytes[...], depth: 0), rest.isEmpty else { return nil }
        self = node
    }

    private init(tag: UInt8, prefix: [UInt8] = [], content: [UInt8], children: [DERNode] = []) {
        self.tag = tag
        self.prefix = prefix
        self.content = content
        self.children = children
    }

    /// The element in DER.
    var encoded: [UInt8] {
        let content = children.isEmpty ? content : prefix + children.flatMap(\.encoded)
        return [tag] + Self.length(content.count) + content
    }

    private static func length(_ count: Int) -> [UInt8] {
        switch count {
        case ..<0x80: [UInt8(count)]
        case ..<0x100: [0x81, UInt8(count)]
        case ..<0x10000: [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
        default: [0x83, UInt8(count >> 16 & 0xff), UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
        }
    }

    private static func read(_ bytes: ArraySlice<UInt8>, depth: Int) -> (DERNode, ArraySlice<UInt8>)? {
        var rest = bytes
        guard depth < 20, let tag = rest.popFirst(), tag & 0x1f != 0x1f, var count = rest.popFirst().map(Int.init)
        else {
            return nil
        }
        if count > 0x80, count < 0x84 {
            let octets = rest.prefix(count - 0x80)
            rest = rest.dropFirst(count - 0x80)
            count = octets.reduce(0) { $0 << 8 | Int($1) }
        } else if count >= 0x80 {
            return nil
        }
        guard count <= rest.count else { return nil }
        let content = rest.prefix(count)
        let prefixSize = tag == 0x03 ? 1 : 0
        let mayHold = tag & 0x20 != 0 || tag == 0x04 || tag == 0x03 && content.first == 0
        let children = mayHold ? readAll(content.dropFirst(prefixSize), depth: depth + 1) : nil
        let node = DERNode(
            tag: tag,
            prefix: Array(content.prefix(children == nil ? 0 : prefixSize)),
            content: Array(content),
            children: children ?? []
        )
        return (node, rest.dropFirst(count))
    }

    private static func readAll(_ bytes: ArraySlice<UInt8>, depth: Int) -> [DERNode]? {
        var rest = bytes
        var nodes: [DERNode] = []
        while !rest.isEmpty {
            guard let (node, next) = read(rest, depth: depth) else { return nil }
            nodes.append(node)
            rest = next
        }
        return nodes
    }
}

extension DERNode: EditableTree {
    func replacing(children: [DERNode]) -> DERNode {
        DERNode(tag: tag, prefix: prefix, content: children.isEmpty ? prefix : [], children: children)
    }

    func changed(by script: inout FuzzScript) -> DERNode {
        guard script.byte() % 4 > 0 else {
            return DERNode(tag: script.byte() & 0xbf, prefix: prefix, content: content, children: children)
        }
        guard children.isEmpty else { return DERNode(tag: tag, content: encodedContent.changed(by: &script)) }
        return DERNode(tag: tag, content: content.changed(by: &script))
    }

    static func made(by script: inout FuzzScript) -> DERNode {
        DERNode(tag: script.byte() & 0xbf, content: script.bytes())
    }

    private var encodedContent: [UInt8] { prefix + children.flatMap(\.encoded) }
}
