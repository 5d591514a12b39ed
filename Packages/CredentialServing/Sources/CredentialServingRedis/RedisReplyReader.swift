#if Redis
import CCredentialServingHiredis
package import CredentialServing

/// Reads replies from the bytes of a connection, with the reader of hiredis.
///
/// hiredis makes objects through functions of ours, which bound their number and depth.
@safe package final class RedisReplyReader {
    private let reader: UnsafeMutablePointer<redisReader>
    private let maximumSize: Int
    private let budget: Budget
    private var pendingBytes = 0

    /// The number of objects that one reply may still have.
    private final class Budget {
        let maximum: Int
        var rest: Int

        init(_ maximum: Int) {
            self.maximum = maximum
            rest = maximum
        }
    }

    /// A reply in the making.
    ///
    /// The parent holds its parts; hiredis holds the outermost one.
    private final class Node {
        let reply: RedisReply
        /// The number of arrays around it.
        let depth: Int
        var parts: [Node] = []

        init(_ reply: RedisReply, depth: Int) {
            self.reply = reply
            self.depth = depth
        }

        // The depth is bounded by the reader.
        func finished() -> RedisReply {
            if case .array = reply { .array(parts.map { $0.finished() }) } else { reply }
        }
    }

    /// A reader.
    ///
    /// - Parameters:
    ///   - maximumSize: The largest reply in bytes.
    ///   - maximumElements: The largest number of objects of a reply.
    package init(maximumSize: Int, maximumElements: Int) throws(SessionStoreError) {
        guard let reader = unsafe redisReaderCreateWithFunctions(Self.functions) else {
            throw SessionStoreError(.unavailable, "no memory for a reader")
        }
        unsafe self.reader = unsafe reader
        self.maximumSize = maximumSize
        budget = Budget(maximumElements)
        unsafe reader.pointee.privdata = unsafe Unmanaged.passUnretained(budget).toOpaque()
    }

    deinit {
        unsafe redisReaderFree(reader)
    }

    /// Takes bytes and returns the replies that they complete.
    ///
    /// - Throws: `SessionStoreError` for a value that is not a reply and for one beyond the limits. The connection is
    ///   then of no more use.
    package func read(_ bytes: UnsafeRawBufferPointer) throws(SessionStoreError) -> [RedisReply] {
        pendingBytes += bytes.count
        let start = unsafe bytes.bindMemory(to: CChar.self).baseAddress
        guard unsafe redisReaderFeed(reader, start, bytes.count) == REDIS_OK else { throw failure }
        var replies: [RedisReply] = []
        while let reply = try next() {
            replies.append(reply)
            pendingBytes = unsafe reader.pointee.len - reader.pointee.pos
            budget.rest = budget.maximum
        }
        guard pendingBytes <= maximumSize else {
            throw SessionStoreError(.unavailable, "a reply of more than \(maximumSize) bytes")
        }
        return replies
    }

    private func next() throws(SessionStoreError) -> RedisReply? {
        var object: UnsafeMutableRawPointer?
        guard unsafe redisReaderGetReply(reader, &object) == REDIS_OK else { throw failure }
        guard let object = unsafe object else { return nil }
        return unsafe Unmanaged<Node>.fromOpaque(object).takeRetainedValue().finished()
    }

    private var failure: SessionStoreError {
        let text = unsafe withUnsafeBytes(of: reader.pointee.errstr) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return SessionStoreError(.unavailable, "a malformed reply, or one beyond the limits: \(text)")
    }

    /// The functions through which hiredis makes objects.
    ///
    /// They live as long as the process.
    private nonisolated(unsafe) static let functions: UnsafeMutablePointer<redisReplyObjectFunctions> = {
        let functions = UnsafeMutablePointer<redisReplyObjectFunctions>.allocate(capacity: 1)
        // The versions of hiredis have different members.
        unsafe functions.initialize(to: redisReplyObjectFunctions())
        unsafe functions.pointee.createString = { task, start, count in
            let bytes = unsafe start.map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
            let kind = unsafe task?.pointee.type
            return switch kind {
            case REDIS_REPLY_ERROR:
                unsafe RedisReplyReader.object(.error(String(decoding: bytes, as: UTF8.self)), task)
            case REDIS_REPLY_STATUS:
                unsafe RedisReplyReader.object(.status(String(decoding: bytes, as: UTF8.self)), task)
            default: unsafe RedisReplyReader.object(.string(bytes), task)
            }
        }
        unsafe functions.pointee.createArray = { task, _ in unsafe RedisReplyReader.object(.array([]), task) }
        unsafe functions.pointee.createInteger = { task, number in
            unsafe RedisReplyReader.object(.integer(number), task)
        }
        unsafe functions.pointee.createNil = { task in unsafe RedisReplyReader.object(.null, task) }
        unsafe functions.pointee.freeObject = { object in
            if let object = unsafe object { unsafe Unmanaged<Node>.fromOpaque(object).release() }
        }
        unsafe CredentialServing_refuseRESP3(functions)
        return unsafe functions
    }()

    /// The largest number of arrays around an object: the limit of hiredis before 1.0, which lets 1024 pass since.
    private static let maximumDepth = 8

    /// Adds an object to its parent, and returns nil if the budget is used up or the depth too large, which ends the
    /// reading.
    private static func object(
        _ reply: RedisReply,
        _ task: UnsafePointer<redisReadTask>?
    ) -> UnsafeMutableRawPointer? {
        guard let task = unsafe task?.pointee, let budget = unsafe task.privdata else { return nil }
        let counter = unsafe Unmanaged<Budget>.fromOpaque(budget).takeUnretainedValue()
        guard counter.rest > 0 else { return nil }
        counter.rest -= 1
        guard let object = unsafe task.parent?.pointee.obj else {
            return unsafe Unmanaged.passRetained(Node(reply, depth: 0)).toOpaque()
        }
        let parent = unsafe Unmanaged<Node>.fromOpaque(object).takeUnretainedValue()
        guard parent.depth < maximumDepth else { return nil }
        let node = Node(reply, depth: parent.depth + 1)
        parent.parts.append(node)
        return unsafe Unmanaged.passUnretained(node).toOpaque()
    }
}
#endif
