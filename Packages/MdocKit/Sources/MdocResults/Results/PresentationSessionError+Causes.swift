public import MdocKit
public import MdocProximity

extension PresentationSessionError {
    /// Names an error of a session: of its channel, its messages, or the reading of a response.
    ///
    /// | error | kind |
    /// | --- | --- |
    /// | the end of the session by status 20 from either side or by End of BLE, a cancelled task | `SessionAborted` |
    /// | `MdocTimeoutError` after the request | `TimeoutError` |
    /// | `MdocTimeoutError` before the session, a failed channel or handover | `WalletUnavailable` |
    /// | a wallet that was called from another website | `VerificationError` |
    /// | any other `MdocError`: a message or response that cannot be read | `ResponseError` |
    /// | an error of another type | `Unknown` |
    public init(_ error: any Error) {
        switch error {
        case let error as PresentationSessionError: self = error
        case let termination as SessionTermination: self.init(termination)
        case let error as MdocTimeoutError:
            let kind: Kind = error.wait == .establishment ? .walletUnavailable : .timeoutError
            self.init(kind, detail: "\(error)", cause: error)
        case let error as MdocError: self.init(error)
        case is CancellationError: self.init(.sessionAborted, message: "The session was cancelled", cause: error)
        default: self.init(.unknown, cause: error)
        }
    }

    private init(_ error: MdocError) {
        if let termination = error.cause as? SessionTermination {
            self.init(termination, cause: error)
        } else {
            self.init(Self.kinds[error.code] ?? .responseError, detail: error.message, cause: error)
        }
    }

    private static let kinds: [MdocError.Code: Kind] = [
        .sessionEnded: .sessionAborted,
        .transportFailed: .walletUnavailable,
        .handoverRefused: .walletUnavailable,
        .malformedHandover: .walletUnavailable,
        .malformedNDEF: .walletUnavailable,
        .chunkedNDEFRecord: .walletUnavailable,
        .malformedAPDU: .walletUnavailable,
        .unexpectedStatusWord: .walletUnavailable,
        .malformedBLEData: .walletUnavailable,
        .originMismatch: .verificationError,
    ]

    /// Names the end of a session that came before a response.
    ///
    /// Status 20 is an abort, from whichever side, and so is End of BLE; another status says that a message could not be read.
    public init(_ termination: SessionTermination) {
        self.init(termination, cause: termination)
    }

    private init(_ termination: SessionTermination, cause: any Error) {
        switch termination.initiator {
        case .channel: self.init(.walletUnavailable, detail: termination.message, cause: cause)
        case .otherSide where termination.isRegular:
            self.init(.sessionAborted, message: "The wallet ended the session", cause: cause)
        case .thisSide where termination.isRequested:
            self.init(.sessionAborted, message: "The reader ended the session", cause: cause)
        case .otherSide, .thisSide: self.init(.responseError, detail: termination.description, cause: cause)
        }
    }

    /// Names the status of a response; nil for `DeviceResponse.Status.ok`.
    ///
    /// Status 20, which belongs to the session, is an abort; any other says that the wallet could not process the request.
    public init?(_ status: DeviceResponse.Status) {
        switch status {
        case .ok: return nil
        case .cancelled: self.init(.sessionAborted, message: "The wallet reports status \(status)")
        default: self.init(.responseError, detail: "the wallet reports status \(status)")
        }
    }
}
