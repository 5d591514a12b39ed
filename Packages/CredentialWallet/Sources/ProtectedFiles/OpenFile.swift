#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An open file, which is closed at the end of its life.
struct OpenFile: ~Copyable {
    private let descriptor: Int32
    private let name: String

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - flags: The flags of `open`.
    ///   - name: The name for errors.
    /// - Throws: `FileFault` of kind `failed`.
    init(_ path: String, _ flags: Int32, name: String) throws(FileFault) {
        guard let file = try OpenFile(existing: path, flags, name: name) else {
            throw FileFault(.failed, "the file or its folder does not exist", in: name)
        }
        self = file
    }

    /// Opens a file; `nil` if the file is missing.
    init?(existing path: String, _ flags: Int32, name: String) throws(FileFault) {
        // The owner's alone.
        let descriptor = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.failure("open", name)
        }
        self.descriptor = descriptor
        self.name = name
    }

    deinit { _ = close(descriptor) }

    /// Waits until no other open file of the path is locked, and locks this one until its end.
    func lock() throws(FileFault) {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.failure("lock", name) }
        }
    }

    /// Ends the lock, which otherwise ends with the file.
    consuming func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    /// Writes bytes in pieces.
    ///
    /// - Parameter onStep: Called before each piece.
    func write(_ bytes: [UInt8], _ onStep: (() -> Void)?) throws(FileFault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            onStep?()
            let piece = rest.prefix(1 << 14)
            let count = unsafe piece.withUnsafeBytes { unsafe Self.write(descriptor, $0) }
            if count < 0 {
                guard errno == EINTR else { throw Self.failure("write", name) }
                continue
            }
            rest = rest.dropFirst(count)
        }
    }

    private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Glibc)
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        unsafe Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// The whole content.
    ///
    /// - Throws: `FileFault` of kind `failed`, also for a file over the size.
    func content(maximumSize: Int) throws(FileFault) -> [UInt8] {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                guard errno == EINTR else { throw Self.failure("read", name) }
                continue
            }
            if count == 0 { return content }
            content += buffer.prefix(count)
            guard content.count <= maximumSize else {
                throw FileFault(.failed, "the file has more than \(maximumSize) bytes", in: name)
            }
        }
    }

    /// Waits until what was written is on the disk.
    func synchronize() throws(FileFault) {
        #if canImport(Darwin)
        let result = fcntl(descriptor, F_FULLFSYNC)
        #else
        let result = fsync(descriptor)
        #endif
        guard result == 0 else { throw Self.failure("synchronize", name) }
    }

    static func failure(_ call: String, _ name: String) -> FileFault {
        FileFault(.failed, "\(call): \(unsafe String(cString: strerror(errno)))", in: name)
    }
}
