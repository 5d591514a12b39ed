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
