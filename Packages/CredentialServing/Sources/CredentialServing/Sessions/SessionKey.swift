/// The name of a session: a random token that a client presents, such as a client token, a requestor token or a state.
///
/// Keys compare as bytes. A token that is shown grants access, so descriptions of a key never print it.
public struct SessionKey: Hashable, Sendable {
    /// The bytes of the key.
    public let bytes: [UInt8]

    /// A key of text, as its UTF-8.
    public init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    /// A key of bytes.
    public init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }
}

extension SessionKey {
    /// Hashes the bytes as one piece: an array hashes them one by one.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension SessionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The size of the key, without its bytes.
    public var description: String { "key of \(bytes.count) bytes" }

    /// The size of the key, without its bytes.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` prints no token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The form in which stores keep a list of keys: each key behind its length in four bytes.
package enum SessionKeyList {
    /// The bytes of a list.
    package static func encoded(_ keys: [SessionKey]) -> [UInt8] {
        keys.flatMap { key in
            let size = UInt32(clamping: key.bytes.count)
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + key.bytes
        }
    }

    /// The list of some bytes.
    ///
    /// - Throws: ``SessionStoreError/Code-swift.struct/damaged`` for bytes that are not a list.
    package static func decoded(_ bytes: [UInt8]) throws(SessionStoreError) -> [SessionKey] {
        var keys: [SessionKey] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 4, size <= rest.count - 4 else {
                throw SessionStoreError(.damaged, "a malformed list of secondary keys")
            }
            keys.append(SessionKey(bytes: rest.dropFirst(4).prefix(size)))
            rest = rest.dropFirst(4 + size)
        }
        return keys
    }
}
