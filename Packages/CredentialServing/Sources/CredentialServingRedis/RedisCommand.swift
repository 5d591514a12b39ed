#if Redis
import CCredentialServingHiredis
import CredentialServing

/// A command for a Redis server.
struct RedisCommand: Sendable {
    /// The name of the command and its arguments.
    let arguments: [[UInt8]]
    /// Indicates that the command may change something.
    let isChange: Bool

    init(_ arguments: [[UInt8]], isChange: Bool = false) {
        self.arguments = arguments
        self.isChange = isChange
    }

    init(_ words: String..., isChange: Bool = false) {
        self.init(words.map { Array($0.utf8) }, isChange: isChange)
    }

    /// The command as sent, by the formatter of hiredis.
    func encoded() throws(SessionStoreError) -> [UInt8] {
        var joined: [UInt8] = []
        joined.reserveCapacity(arguments.reduce(0) { $0 + $1.count })
        for argument in arguments { joined += argument }
        let sizes = arguments.map(\.count)
        let bytes = unsafe joined.withUnsafeBytes { joined -> [UInt8]? in
            guard let base = unsafe joined.bindMemory(to: CChar.self).baseAddress else { return nil }
            var offset = 0
            var starts: [UnsafePointer<CChar>?] = unsafe []
            for size in sizes {
                unsafe starts.append(base + offset)
                offset += size
            }
            var command: UnsafeMutablePointer<CChar>?
            let count = unsafe redisFormatCommandArgv(&command, Int32(clamping: sizes.count), &starts, sizes)
            guard count >= 0, let command = unsafe command else { return nil }
            defer { unsafe redisFreeCommand(command) }
            return unsafe Array(UnsafeRawBufferPointer(start: command, count: Int(count)))
        }
        guard let bytes else { throw SessionStoreError(.tooLarge, "a command that cannot be formatted") }
        return bytes
    }
}
#endif
