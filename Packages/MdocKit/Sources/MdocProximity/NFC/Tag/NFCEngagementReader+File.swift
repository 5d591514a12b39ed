import MdocKit

extension NFCEngagementReader {
    /// READ BINARY.
    mutating func readCommand(at offset: Int, count: Int) throws(MdocError) -> CommandAPDU {
        expectedLength = count
        return try CommandAPDU(
            ins: CommandAPDU.Instruction.readBinary,
            p1: UInt8(truncatingIfNeeded: offset >> 8),
            p2: UInt8(truncatingIfNeeded: offset),
            expectedLength: count
        )
    }

    /// The data of READ BINARY: at least one byte, and no more than were asked for.
    func readData(_ response: ResponseAPDU) throws(MdocError) -> [UInt8] {
        let data = try response.successfulData("READ BINARY")
        guard (1...expectedLength).contains(data.count) else {
            throw MdocError(.malformedAPDU, "READ BINARY for \(expectedLength) bytes gives \(data.count)")
        }
        return data
    }

    /// Asks for the length of the message.
    mutating func poll(for expected: Expected, polls: Int) throws(MdocError) -> CommandAPDU {
        phase = .readingLength(expected, polls: polls)
        return try readCommand(at: 0, count: 2)
    }

    /// Goes on with the length of the message, or asks again where it is zero.
    mutating func length(_ data: [UInt8], _ expected: Expected, _ polls: Int) throws(MdocError) -> Step {
        guard data.count == 2 else { throw MdocError(.malformedAPDU, "the NDEF file has no length") }
        let length = Int(data[0]) << 8 | Int(data[1])
        guard length > 0 else {
            let limit = min(limits.polls, service?.pollLimit ?? limits.polls)
            guard polls < limit else {
                throw MdocError(.limitExceeded, "the message is not ready after \(polls) waits")
            }
            return .wait(service?.waitingTime ?? pollingInterval, try poll(for: expected, polls: polls + 1))
        }
        let limit = min((container?.maximumFileSize ?? 2) - 2, limits.messageSize)
        guard length <= limit else {
            throw MdocError(.limitExceeded, "an NDEF message of \(length) bytes exceeds the limit of \(limit)")
        }
        return .send(try readNext(after: [], of: length, expected))
    }

    /// Goes on with a stretch of the message, or takes it where it is whole.
    mutating func read(_ message: [UInt8], of length: Int, _ expected: Expected) throws(MdocError) -> Step {
        guard message.count == length else { return .send(try readNext(after: message, of: length, expected)) }
        return try take(try NDEFMessage(decoding: message, limits: limits), expected)
    }

    private mutating func readNext(
        after message: [UInt8],
        of length: Int,
        _ expected: Expected
    ) throws(MdocError) -> CommandAPDU {
        phase = .reading(expected, length: length, message: message)
        let most = min(container?.maximumReadLength ?? 0xff, supportsExtendedLength ? 0xffff : 0xff)
        return try readCommand(at: message.count + 2, count: min(most, length - message.count))
    }

    /// The writes for a message: a single one if a command holds it; else a length of zero first and the true one last,
    /// so that the tag never takes a part for the whole.
    func writes(of message: NDEFMessage) throws(MdocError) -> [Write] {
        guard let container, container.isWritable else {
            throw MdocError(.unexpectedMessage, "the tag negotiates, but its NDEF file cannot be written")
        }
        let bytes = message.encodedBytes
        let limit = min(container.maximumFileSize - 2, service.map { Int($0.maximumMessageSize) } ?? 0)
        guard bytes.count <= limit else {
            throw MdocError(
                .limitExceeded,
                "an NDEF message of \(bytes.count) bytes exceeds the tag's limit of \(limit)"
            )
        }
        let length = [UInt8].bigEndian(UInt16(truncatingIfNeeded: bytes.count))
        let most = min(container.maximumWriteLength, supportsExtendedLength ? 0xffff : 0xff)
        guard most >= 2 else {
            throw MdocError(.limitExceeded, "the tag takes no more than \(most) bytes, not even a message's length")
        }
        guard bytes.count + 2 > most else { return [Write(offset: 0, bytes: length + bytes)] }
        let parts = stride(from: 0, to: bytes.count, by: most).map { start in
            Write(offset: start + 2, bytes: [UInt8](bytes[start...].prefix(most)))
        }
        return [Write(offset: 0, bytes: [0, 0])] + parts + [Write(offset: 0, bytes: length)]
    }

    /// Writes the next stretch, or waits for the answer after the last.
    mutating func write(_ writes: [Write], then expected: Expected) throws(MdocError) -> Step {
        guard let next = writes.first else {
            return .wait(service?.waitingTime ?? pollingInterval, try poll(for: expected, polls: 0))
        }
        phase = .writing([Write](writes.dropFirst()), then: expected)
        return .send(
            try CommandAPDU(
                ins: CommandAPDU.Instruction.updateBinary,
                p1: UInt8(truncatingIfNeeded: next.offset >> 8),
                p2: UInt8(truncatingIfNeeded: next.offset),
                data: next.bytes
            )
        )
    }
}

extension TNEPServiceParameters {
    /// The number of times that a reader may ask again for one message.
    var pollLimit: Int { Int(maximumWaitingTimeExtensions) }
}
