public import JSONKit

/// The outcome of a transaction, as requestors have it.
public struct TransactionResult: Hashable, Sendable {
    /// The requestor's name for the transaction.
    public let id: String
    /// The state.
    public let status: TransactionStatus
    /// The reason of a final state other than ``TransactionStatus/verified``; nil for a verified response.
    public let failure: TransactionFailure?
    /// The checks of the response, in the JSON form of `VerificationReport`; nil if no response was verified.
    public let verification: JSONValue?
    /// The verified credentials by the names of their queries; nil unless the response is verified, and after the claims
    /// have left the store.
    public let credentials: JSONValue?

    init(_ record: TransactionRecord, withClaims: Bool) {
        id = record.id
        status = record.status
        failure = record.failure
        verification = record.verification
        credentials = withClaims && record.status == .verified ? record.credentials : nil
    }

    /// The result in JSON.
    public var json: JSONValue {
        var object: JSONObject = ["id": .string(id), "status": .string(status.rawValue)]
        if let failure {
            object["failure"] = ["code": .string(failure.code), "message": .string(failure.message)]
        }
        object["verification"] = verification
        object["credentials"] = credentials
        return .object(object)
    }
}

extension TransactionResult: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The state and the code of a failure; the name of the transaction and the claims are secret.
    public var description: String {
        "result \(status.rawValue)" + (failure.map { ", \($0.code.escapedForDisplay())" } ?? "")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
