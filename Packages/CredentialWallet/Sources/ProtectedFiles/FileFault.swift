/// A fault of a file, from which a store makes its own error.
public struct FileFault: Error, Hashable, Sendable {
    /// The kind of a fault.
    public enum Kind: Hashable, Sendable {
        /// The file cannot be read or written: no such folder, no permission, no space, no path of a file.
        case failed
        /// The content is not what was written there, or the key is another one.
        case damaged
    }

    /// The kind.
    public let kind: Kind
    /// A description for a developer, in one sentence.
    public let message: String
    /// The name of the file without its folder; nil for a path that names no file.
    public let file: String?

    init(_ kind: Kind, _ message: String, in file: String? = nil) {
        self.kind = kind
        self.message = message
        self.file = file
    }
}
