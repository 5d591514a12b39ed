import MdocKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The system's calls on sockets, none of which blocks.
enum SocketCalls {
    /// The outcome of a call that may have to wait.
    enum Attempt<Value> {
        case done(Value)
        case wouldBlock
        case failed(MdocError)
    }

    /// A new stream socket that does not block.
    static func open(_ family: Int32) throws(MdocError) -> Int32 {
        #if canImport(Glibc)
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(family, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw failure("a socket cannot be opened") }
        prepare(descriptor, family)
        return descriptor
    }

    /// Keeps a socket from blocking, from reaching child processes, from raising signals and from holding back what is
    /// small.
    static func prepare(_ descriptor: Int32, _ family: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
        set(descriptor, SOL_SOCKET, SO_NOSIGPIPE)
        #endif
        if family != AF_UNIX { set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY) }
    }

    /// Binds a socket and lets it listen.
    static func listen(_ descriptor: Int32, at endpoint: SocketEndpoint) throws(MdocError) {
        if endpoint.family != AF_UNIX { set(descriptor, SOL_SOCKET, SO_REUSEADDR) }
        guard try unsafe endpoint.withAddress({ unsafe bind(descriptor, $0, $1) }) == 0 else {
            throw failure("the socket cannot listen at \(endpoint)")
        }
        if case .unix(let path) = endpoint { _ = unsafe chmod(path, S_IRUSR | S_IWUSR) }
        guard systemListen(descriptor) == 0 else { throw failure("the socket cannot listen at \(endpoint)") }
    }

    private static func systemListen(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        Darwin.listen(descriptor, 8)
        #elseif canImport(Glibc)
        Glibc.listen(descriptor, 8)
        #elseif canImport(Musl)
        Musl.listen(descriptor, 8)
        #elseif canImport(Android)
        Android.listen(descriptor, 8)
        #endif
    }

    /// Begins to connect; the socket becomes writable when that is decided.
    static func startConnecting(_ descriptor: Int32, to endpoint: SocketEndpoint) throws(MdocError) -> Attempt<Void> {
        if try unsafe endpoint.withAddress({ unsafe connect(descriptor, $0, $1) }) == 0 { return .done(()) }
        if errno == EINPROGRESS || errno == EINTR { return .wouldBlock }
        return .failed(failure("\(endpoint) cannot be reached"))
    }

    /// The outcome of connecting.
    static func connected(_ descriptor: Int32, to endpoint: SocketEndpoint) -> Attempt<Void> {
        var status: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &status, &length) == 0, status == 0 else {
            return .failed(failure("\(endpoint) cannot be reached", status))
        }
        return .done(())
    }

    /// The next connection of a socket that listens.
    static func acceptNext(_ descriptor: Int32, _ family: Int32) -> Attempt<Int32> {
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else { return undone("no connection can be accepted") }
        prepare(accepted, family)
        return .done(accepted)
    }

    /// Bytes that came, none at the end of the stream.
    static func read(_ descriptor: Int32, atMost count: Int) -> Attempt<[UInt8]> {
        var received = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            received = unsafe recv(descriptor, buffer.baseAddress, count, 0)
            initializedCount = max(0, received)
        }
        return received < 0 ? undone("nothing can be received") : .done(bytes)
    }

    /// Writes some bytes and tells how many.
    static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Attempt<Int> {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        let count = unsafe bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, flags) }
        return count < 0 ? undone("nothing can be sent") : .done(count)
    }

    private static func undone<Value>(_ message: String) -> Attempt<Value> {
        if errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return .wouldBlock }
        return .failed(failure(message))
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        _ = unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func failure(_ message: String, _ status: Int32 = errno) -> MdocError {
        MdocError(.transportFailed, "\(message): \(unsafe String(cString: strerror(status)))")
    }

    /// Gives a descriptor back to the system.
    static func release(_ descriptor: Int32) {
        _ = close(descriptor)
    }

    /// Removes the file of a socket.
    static func remove(path: String) {
        _ = unsafe unlink(path)
    }
}
