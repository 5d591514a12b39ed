public import CryptoCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that is replaced as a whole, by one process at a time, and checked when it is read.
///
/// A change writes a new file beside the old one, puts it on the disk, and moves it to the place: whatever interrupts it,
/// the old or the new content is there. Changes lock a file `….lock` beside it, so that none is lost. The content follows a head of
/// eight bytes for the format and a check of 32 bytes: HMAC-SHA-256 under a key, or SHA-256, which shows damage but not
/// a forgery.
public struct ProtectedFile<Failure: Error>: Sendable {
    private let path: String
    private let format: [UInt8]
    private let key: SecretBytes?
    private let maximumSize: Int
    private let onStep: (@Sendable () -> Void)?
    private let failure: @Sendable (FileFault) -> Failure

    private static var formatSize: Int { 8 }
    private static var headSize: Int { formatSize + 32 }

    /// Names a file.
    ///
    /// - Parameters:
    ///   - path: The path, on a local disk; the folder exists.
    ///   - format: The format of the content: eight ASCII characters.
    ///   - key: The key of the check; nil for a check without one.
    ///   - maximumSize: The size in bytes up to which the file is read.
    ///   - onStep: Called before each step of a change, for tests that stop there.
    ///   - failure: Makes the error of the store that keeps its content in the file.
    /// - Throws: The store's error for an empty path or a format of another length.
    public init(
        path: String,
        format: String,
        key: SecretBytes? = nil,
        maximumSize: Int = 256 << 20,
        onStep: (@Sendable () -> Void)? = nil,
        failure: @escaping @Sendable (FileFault) -> Failure
    ) throws(Failure) {
        guard !path.isEmpty, !path.hasSuffix("/"), !path.utf8.contains(0) else {
            throw failure(FileFault(.failed, "a path of a file is needed, not '\(path)'"))
        }
        guard format.utf8.count == Self.formatSize else {
            throw failure(FileFault(.failed, "a format has \(Self.formatSize) characters, not '\(format)'"))
        }
        self.path = path
        self.format = Array(format.utf8)
        self.key = key
        self.maximumSize = maximumSize
        self.onStep = onStep
        self.failure = failure
    }

    /// The name of the file without its folder.
    public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The content; nil if there is no file.
    ///
    /// - Throws: The store's error, of a damaged file for one of another format or with another check.
    public func content() throws(Failure) -> [UInt8]? {
        guard let bytes = try bytes() else { return nil }
        guard bytes.count >= Self.headSize, bytes.starts(with: format) else {
            throw failure(FileFault(.damaged, "a file of another kind", in: name))
        }
        guard let content = checkedContent(of: bytes) else {
            let message = "the content is not what was written, or the key is another"
            throw failure(FileFault(.damaged, message, in: name))
        }
        return content
    }

    /// The content of a file with its check; nil for another one.
    private func checkedContent(of bytes: [UInt8]) -> [UInt8]? {
        let content = Array(bytes.dropFirst(Self.headSize))
        let isIntact = constantTimeEqual(Array(bytes[Self.formatSize..<Self.headSize]), check(of: content))
        return isIntact && bytes.starts(with: format) ? content : nil
    }

    private func bytes() throws(Failure) -> [UInt8]? {
        try converting { () throws(FileFault) in
            guard let file = try OpenFile(existing: path, O_RDONLY, name: name) else { return nil }
            return try file.content(maximumSize: maximumSize)
        }
    }

    /// Replaces the content by a change of it, while no other change is made.
    ///
    /// - Parameter change: Returns the new content for the old one, or nil to leave it.
    /// - Throws: The store's error as ``content()`` does, or what the change throws.
    public func update(_ change: ([UInt8]?) throws(Failure) -> [UInt8]?) throws(Failure) {
        let lock = try lock()
        if let changed = try change(try content()) { try replace(changed) }
        lock.unlock()
    }

    /// Replaces the content of a file that may be damaged, while no other change is made.
    ///
    /// - Parameter change: Returns the new content, or nil to leave the old one, for the bytes in the place of the content and
    ///   for whether they are what was written. It is not called without a file.
    /// - Throws: The store's error where the file cannot be read or written, or what the change throws.
    public func repair(
        _ change: (_ content: [UInt8], _ isIntact: Bool) throws(Failure) -> [UInt8]?
    ) throws(Failure) {
        let lock = try lock()
        if let bytes = try bytes() {
            let isIntact = bytes.count >= Self.headSize && checkedContent(of: bytes) != nil
            if let changed = try change(Array(bytes.dropFirst(Self.headSize)), isIntact) { try replace(changed) }
        }
        lock.unlock()
    }

    /// The file `….lock`, locked until it is unlocked or goes.
    private func lock() throws(Failure) -> OpenFile {
        do throws(FileFault) {
            let lock = try OpenFile(path + ".lock", O_RDWR | O_CREAT, name: name)
            try lock.lock()
            return lock
        } catch {
            throw failure(error)
        }
    }

    private func replace(_ content: [UInt8]) throws(Failure) {
        try converting { () throws(FileFault) in
            let temporary = path + ".new"
            onStep?()
            try write(format + check(of: content) + content, to: temporary)
            onStep?()
            guard unsafe rename(temporary, path) == 0 else { throw OpenFile.failure("rename", name) }
            onStep?()
            // The name is on the disk when the folder is.
            try OpenFile(folder, O_RDONLY | O_DIRECTORY, name: name).synchronize()
            onStep?()
        }
    }

    private func write(_ bytes: [UInt8], to path: String) throws(FileFault) {
        let file = try OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, name: name)
        try file.write(bytes, onStep)
        onStep?()
        try file.synchronize()
    }

    /// Runs a part whose fault becomes the store's error.
    private func converting<Value>(_ body: () throws(FileFault) -> Value) throws(Failure) -> Value {
        do throws(FileFault) {
            return try body()
        } catch {
            throw failure(error)
        }
    }

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func check(of content: [UInt8]) -> [UInt8] {
        if let key { return HMAC.authenticationCode(for: format + content, key: key, hash: .sha256) }
        return HashAlgorithm.sha256.digest(of: format + content)
    }
}
