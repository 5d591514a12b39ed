public import CryptoCore
import MdocKit

/// The treatment of a message by an ``InMemoryMdocTransport``.
public struct TransmissionFate: Hashable, Sendable {
    /// Indicates that it is lost.
    public var isLost = false
    /// Indicates that it arrives only after the message that is sent next.
    public var isOvertaken = false
    /// The delay of the message.
    public var delay: Duration = .zero

    /// Creates the fate of a message that arrives at once.
    public init() {}

    /// It arrives at once.
    public static let delivered = TransmissionFate()

    /// It is lost.
    public static let lost: TransmissionFate = {
        var fate = TransmissionFate()
        fate.isLost = true
        return fate
    }()

    /// It arrives after the message that is sent next.
    public static let overtaken: TransmissionFate = {
        var fate = TransmissionFate()
        fate.isOvertaken = true
        return fate
    }()

    /// It arrives after a while; those sent after it arrive later still.
    public static func delayed(_ delay: Duration) -> TransmissionFate {
        var fate = TransmissionFate()
        fate.delay = delay
        return fate
    }
}

/// The conditions between the two ends of an in-memory pair.
public struct TransmissionConditions: Sendable {
    /// Tells the fate of a message from its direction and its place among those of that direction, counted from 0.
    public let fate: @Sendable (_ direction: Direction, _ index: Int) -> TransmissionFate

    /// The direction of a message.
    public enum Direction: Hashable, Sendable {
        /// From the first end of the pair to the second.
        case forward
        /// From the second end of the pair to the first.
        case backward
    }

    /// Conditions by a function, which is called once for each message.
    public init(fate: @escaping @Sendable (_ direction: Direction, _ index: Int) -> TransmissionFate) {
        self.fate = fate
    }

    /// Every message arrives at once.
    public static let perfect = TransmissionConditions { _, _ in .delivered }

    /// Random conditions.
    ///
    /// With a repeatable source they are the same each time for the same order of messages.
    ///
    /// - Parameters:
    ///   - loss: The number of messages in 1000 that are lost.
    ///   - reordering: The number of messages in 1000 that are overtaken by the next.
    ///   - delays: The range of the delay of a message, in whole milliseconds.
    ///   - random: The source of randomness.
    public static func random(
        loss: Int = 0,
        reordering: Int = 0,
        delays: ClosedRange<Duration> = .zero ... .zero,
        using random: some RandomSource
    ) -> TransmissionConditions {
        TransmissionConditions { _, _ in
            let draws = (0..<3).map { _ in random.bytes(4).reduce(0) { $0 << 8 | Int($1) } }
            var fate = TransmissionFate()
            fate.isLost = draws[0] % 1000 < loss
            fate.isOvertaken = draws[1] % 1000 < reordering
            let span = (delays.upperBound - delays.lowerBound) / .milliseconds(1)
            fate.delay = delays.lowerBound + .milliseconds(draws[2] % (Int(span) + 1))
            return fate
        }
    }
}
