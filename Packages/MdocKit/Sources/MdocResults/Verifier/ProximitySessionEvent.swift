public import MdocProximity

/// A step of a session in proximity, see ``ProximityPresentationSession/events``.
public enum ProximitySessionEvent: Sendable {
    /// The wallet's engagement was read.
    case engaged
    /// The reader opens a channel to the wallet.
    case connecting
    /// The channel is open, and the session can take requests.
    case connected
    /// A request was handed to the channel.
    case requestSent
    /// A response came, and was decrypted.
    case responseReceived
    /// The response was verified; its credentials have their own results.
    case verified(MobileCredentialResponse)
    /// Connecting or a request failed. After `TimeoutError` the session goes on.
    case failed(PresentationSessionError)
    /// The session ended, for the reason given; the last event.
    case terminated(SessionTermination)
}

extension ProximitySessionEvent: CustomStringConvertible {
    /// The name of the step, with the reason of a failure or of the end.
    public var description: String {
        switch self {
        case .engaged: "engaged"
        case .connecting: "connecting"
        case .connected: "connected"
        case .requestSent: "requestSent"
        case .responseReceived: "responseReceived"
        case .verified: "verified"
        case .failed(let error): "failed: \(error)"
        case .terminated(let termination): "terminated: \(termination)"
        }
    }
}
