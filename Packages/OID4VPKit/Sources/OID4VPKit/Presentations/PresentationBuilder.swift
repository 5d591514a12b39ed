public import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
public import OID4VPMessages
import SDJWTKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Builds the presentations that answer a request, of credentials of any format.
///
/// ```swift
/// let responder = AuthorizationResponder(authenticated)
/// let binding = try PresentationBinding(authenticated, request, mdocGeneratedNonce: responder.mdocGeneratedNonce)
/// let builder = PresentationBuilder(request, binding)
/// let unsigned = try await builder.prepare(plan, of: credentials, keys: keys, at: now)
/// let token = try await unsigned.signed(with: [deviceKey, holderKey])
/// let response = try await responder.response(with: token, to: request, at: now)
/// ```
///
/// A presentation holds the claims of the plan and no others that the holder can withhold.
public struct PresentationBuilder: Sendable {
    /// The request.
    public let request: PresentationRequest
    /// The transaction that presentations are bound to.
    public let binding: PresentationBinding
    /// The settings.
    public let options: PresentationOptions

    /// Makes a builder.
    public init(
        _ request: PresentationRequest,
        _ binding: PresentationBinding,
        options: PresentationOptions = PresentationOptions()
    ) {
        self.request = request
        self.binding = binding
        self.options = options
    }

    /// Prepares the presentations of a plan for signatures.
    ///
    /// - Parameters:
    ///   - plan: The plan for this request.
    ///   - credentials: The credentials of the wallet; those that the plan does not name are skipped.
    ///   - keys: The keys of the holder that credentials do not hold themselves.
    ///   - time: The time; a credential that is not valid at it is refused, though it was when the user was asked.
    ///   - random: The source of names for signatures, tokens and the submission.
    /// - Throws: `OID4VPError` with code `invalidSelection` for a plan that is not one for this request or names an
    ///   unknown credential, `outsideValidity`, `unsatisfied` for one without presentations, `invalidTransactionData` if no presentation can
    ///   authorize a transaction, `missingHolderKey`, and `presentationFailed`.
    public func prepare(
        _ plan: PresentationPlan,
        of credentials: [PresentableCredential],
        keys: HolderKeys = HolderKeys(),
        at time: Date,
        using random: some RandomSource = .system
    ) async throws(OID4VPError) -> UnsignedPresentations {
        var items: [PresentationItem] = []
        for entry in plan.entries {
            guard let credential = credentials.first(where: { $0.name == entry.match.credential }) else {
                throw OID4VPError(.invalidSelection, "the plan names a credential that is not there")
            }
            try credential.queryable.validity.require(at: time, for: credential.queryable.format)
            // A credential that answers several descriptors is presented once.
            let matches = plan.entries.map(\.match).filter { $0.credential == entry.match.credential }
            let isShared = request.query.definition != nil
            items.append(try PresentationItem(entry, credential, sharedBy: isShared ? matches : [entry.match]))
        }
        return try await prepare(items, keys: keys, at: time, using: random)
    }

    /// Prepares presentations of credentials that have been reduced to what is disclosed.
    package func prepare(
        _ items: [PresentationItem],
        keys: HolderKeys,
        at time: Date,
        using random: some RandomSource
    ) async throws(OID4VPError) -> UnsignedPresentations {
        guard !items.isEmpty else { throw OID4VPError(.unsatisfied, "there is nothing to present") }
        var preparation = PresentationPreparation(self, keys, time, random)
        try preparation.assignTransactions(items)
        switch request.query {
        case .dcql(let query): return try await preparation.presentations(items, for: query)
        case .definition(let definition): return try await preparation.presentations(items, for: definition)
        case .definitionReference, .scope:
            throw OID4VPError(.invalidSelection, "the query of the request has not been fetched or resolved")
        }
    }
}

extension CredentialValidity {
    /// Refuses a credential that the verifier would refuse, after it has seen the claims.
    package func require(at time: Date, for format: CredentialFormat) throws(OID4VPError) {
        if isExpired(at: time) {
            throw OID4VPError(.outsideValidity, "the credential has expired", path: [format.text])
        }
        if isPending(at: time) {
            throw OID4VPError(.outsideValidity, "the credential is not valid yet", path: [format.text])
        }
    }
}

extension RandomSource {
    /// A random UUID of version 4 as text.
    func uuid() -> String {
        var bytes = bytes(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]]
            .map { $0.joined() }.joined(separator: "-")
    }
}
