import CryptoCore
import MdocKit

/// The end of a session (ISO/IEC 18013-5, 12.2.4).
public struct SessionTermination: Error, Hashable, Sendable, CustomStringConvertible {
    /// The initiator of the end.
    public enum Initiator: Hashable, Sendable {
        /// This side: it was told to, or could not go on with what it received.
        case thisSide
        /// The other side, with a status or a command of the channel, such as End of BLE.
        case otherSide
        /// The channel: it failed, or was closed before either side had ended the session.
        case channel
    }

    /// The initiator of the end.
    public let initiator: Initiator
    /// The status that was sent or received; nil if the channel was lost, or for the other side's command to end.
    public let status: SessionData.Status?
    /// A description of the end, for a developer.
    public let message: String

    init(_ initiator: Initiator, _ status: SessionData.Status?, _ message: String) {
        self.initiator = initiator
        self.status = status
        self.message = message.escapedForDisplay()
    }

    /// Indicates a regular end: status 20 from either side, or the other side's command to end.
    public var isRegular: Bool { status == .termination || self == .endedInChannel }

    /// The initiator, the status and the reason, on one line.
    public var description: String {
        let status = status.map { ", status \($0)" } ?? ""
        return "ended by \(initiator)\(status): \(message)"
    }

    /// The error of an operation on the ended session.
    var error: MdocError { MdocError(.sessionEnded, "the session has ended", cause: self) }

    /// Indicates that the caller of this side ended the session.
    package var isRequested: Bool { self == .requested }
}

extension SessionTermination {
    /// The other side sent a status.
    static func received(_ status: SessionData.Status) -> SessionTermination {
        SessionTermination(.otherSide, status, "the other side ended the session")
    }

    /// The other side ended the session by a command of the channel.
    static let endedInChannel = SessionTermination(.otherSide, nil, "the other side ended the session in its channel")

    /// The caller of this side ended the session.
    static let requested = SessionTermination(.thisSide, .termination, "this side ended the session")

    /// The channel is gone.
    static func channelLost(_ reason: String) -> SessionTermination {
        SessionTermination(.channel, nil, reason)
    }
}
