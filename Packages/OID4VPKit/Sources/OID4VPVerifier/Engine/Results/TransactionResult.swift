public import JSONKit
public import OID4VPMessages
public import VerificationCore

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
    /// The verified credentials by the names of their queries, in JSON with all of their claims; nil unless the response is
    /// verified, and after the claims have left the store.
    public let credentials: JSONValue?
    /// The verified credentials, in the order of the request; empty unless the response is verified, and after the claims have left
    /// the store.
    public let disclosed: [DisclosedCredential]

    init(_ record: TransactionRecord, withClaims: Bool) {
        id = record.id
        status = record.status
        failure = record.failure
        verification = record.verification
        credentials = withClaims && record.status == .verified ? record.credentials : nil
        disclosed = (credentials?.objectValue ?? [:]).flatMap { query, credentials in
            (credentials.arrayValue ?? []).compactMap { DisclosedCredential(json: $0, query: QueryID(query)) }
        }
    }

    /// The verified credentials that answer a query; none if it is not answered.
    public subscript(query: QueryID) -> [DisclosedCredential] { disclosed.filter { $0.query == query } }

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

extension TransactionResult {
    /// The reason for which the response was refused; nil in every other state than ``TransactionStatus/failed``.
    ///
    /// Beside the reasons of checks there are two of the server: `interrupted` for a verification that did not end in time, and
    /// `tooLarge` for a result that the store has no room for.
    public var reason: Reason? { status == .failed ? failure.map { Reason($0.code) } : nil }

    /// The error that the wallet sent in the place of a response; nil in every other state than ``TransactionStatus/declined``.
    public var walletError: AuthorizationErrorCode? {
        status == .declined ? failure.map { AuthorizationErrorCode($0.code) } : nil
    }

    /// Indicates a transaction that failed or was declined since something could not be reached or done at the time: nothing was
    /// found against the holder, and another transaction may succeed.
    ///
    /// Such are a status list or an issuer's keys that could not be fetched, a verification that did not end in time, and a wallet
    /// that was not available or failed.
    public var isUnavailable: Bool {
        if let walletError { return Self.passingErrors.contains(walletError) }
        guard let reason else { return false }
        return verification?["refusal"]?["isUnavailable"]?.boolValue ?? (reason == .interrupted)
    }

    private static let passingErrors: Set<AuthorizationErrorCode> = [
        .temporarilyUnavailable, .walletUnavailable, .serverError,
    ]
}

extension Reason {
    /// The verification did not end in time.
    static let interrupted: Reason = "interrupted"
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
