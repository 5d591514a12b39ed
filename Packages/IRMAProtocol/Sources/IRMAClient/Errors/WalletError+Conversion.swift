import CredentialTransport
import CredentialWallet
import IRMAMessages
import IdemixCore
import JOSEKit

extension WalletError {
    /// The error for one of the messages' layer.
    init(_ error: IRMAError) {
        let code: Code =
            switch error.code {
            case .malformed: .serverResponse
            case .unknownIdentifier, .unknownKey: .unknownIdentifier
            case .notSatisfied: .invalidChoice
            case .invalidRequest, .limitExceeded: .invalidRequest
            case .retrievalFailed: .configurationDownload
            case .invalidScheme, .malformedDescription, .invalidSchemeSignature, .digestMismatch, .rollback,
                .invalidPath:
                .invalidScheme
            case .storageFailed: .storageFailed
            default: .crypto
            }
        self.init(code, error.message, path: error.path, cause: error)
    }

    /// The error for one of the mathematics.
    init(_ error: IdemixError) {
        let code: Code =
            switch error.code {
            case .revoked, .updateTooNew, .invalidWitness, .invalidEventChain, .invalidSignedMessage,
                .revocationNotSupported:
                .revocation
            case .countMismatch, .malformedJSON, .malformedCBOR: .serverResponse
            case .keyshareMismatch: .keyshare
            default: .crypto
            }
        self.init(code, error.message, path: error.path, cause: error)
    }

    /// The error for one of the storage.
    init(_ error: CredentialStoreError) {
        let code: Code =
            switch error.code {
            case .storageDamaged, .unsupportedVersion: .storageDamaged
            case .storageConflict: .storageConflict
            case .storageRolledBack: .storageRolledBack
            case .cancelled: .cancelled
            default: .storageFailed
            }
        self.init(code, error.message, path: error.path, cause: error)
    }

    /// Indicates that another wallet over the storage was faster with a change of a value.
    var isStorageConflict: Bool { code == .storageConflict && cause is CredentialStoreError }

    /// The error for one of the connection.
    init(_ error: TransportError) {
        switch error.code {
        case .unexpectedStatus: self.init(answer: error)
        case .cancelled: self.init(.cancelled, "the task was cancelled", path: error.path, cause: error)
        case .schemeNotAllowed: self.init(.https, error.message, path: error.path, cause: error)
        case .bodyTooLarge, .contentTypeNotAccepted, .contentEncodingNotAccepted, .redirected:
            self.init(.serverResponse, error.message, path: error.path, cause: error)
        default: self.init(.transport, error.message, path: error.path, cause: error)
        }
    }

    /// The error for an answer with a status that says that the request failed.
    private init(answer error: TransportError) {
        let body = error.answer?.body ?? []
        if var remote = try? RemoteError(decoding: body), remote.name != nil || remote.status != nil {
            remote.status = remote.status ?? error.status
            self.init(.api, "the server answered with an error", path: error.path, cause: remote)
        } else {
            self.init(.serverResponse, "status \(error.status ?? 0) without an error", path: error.path, cause: error)
        }
    }

    /// Indicates that a server may have handled a request whose answer did not come: a proxy may answer in its place.
    var isAnswerLost: Bool {
        code == .transport || code == .serverResponse && (500..<600).contains(status ?? 0)
    }

    /// Indicates an answer of a server that is overloaded, down or out of time, or of a proxy before it.
    ///
    /// With 429 it has not looked at the request. With 503 it may have handled it: the reference answers so when its own time
    /// has passed, and goes on. A request that counts, such as one with a PIN, is repeated after neither.
    var isOverload: Bool { [429, 503].contains(status) }

    /// Indicates an answer of a keyshare server that has lost what a request builds on, such as a challenge: the status tells,
    /// since a proxy may have replaced the body.
    var isConflict: Bool { status == 409 }

    /// The status of the answer that the error is about, or `nil`.
    private var status: Int? { (cause as? TransportError)?.status ?? remoteError?.status }

    /// Runs a part of IRMAMessages, and turns its error into one of the wallet.
    static func converting<Value>(_ body: () throws(IRMAError) -> Value) throws(WalletError) -> Value {
        do throws(IRMAError) { return try body() } catch { throw WalletError(error) }
    }

    /// Runs a part of IdemixCore, and turns its error into one of the wallet.
    static func convertingIdemix<Value>(_ body: () throws(IdemixError) -> Value) throws(WalletError) -> Value {
        do throws(IdemixError) { return try body() } catch { throw WalletError(error) }
    }

    /// Runs a part of CredentialTransport, and turns its error into one of the wallet.
    static func convertingTransport<Value>(_ body: () throws(TransportError) -> Value) throws(WalletError) -> Value {
        do throws(TransportError) { return try body() } catch { throw WalletError(error) }
    }
}
