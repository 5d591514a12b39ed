import CryptoCore
import JOSEKit
import JSONKit
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The messages of a relying party's transactions.
struct RelyingPartyMessages: TransactionParty {
    let reader: ResponseReader
    private let party: RelyingParty
    private let policy: PresentationPolicy
    private let builder: RequestBuilder
    /// The key of all responses, as wallets see it, if there is one.
    private let fixedKeys: [JWK]
    /// The keys of earlier responses, as wallets see them.
    private let retiredKeys: [JWK]

    init(_ served: ServedRelyingParty) {
        party = served.party
        policy = served.policy
        reader = served.reader
        builder = RequestBuilder(served.party)
        func named(_ keys: [JWK]) -> [JWK] {
            keys.compactMap { try? served.party.encryption.named($0, isKnown: served.party.isKnownToWallets) }
        }
        retiredKeys = named(party.retiredResponseKeys)
        if case .fixed(let key) = party.encryption.key { fixedKeys = named([key]) } else { fixedKeys = [] }
    }

    func state(inside jwe: JWE, namingKey keyID: String?) async -> String? {
        let policy = JWEDecryptionPolicy(
            algorithms: [party.encryption.algorithm],
            encryptions: Set(party.encryption.encryptions)
        )
        var content: [UInt8]?
        for key in fixedKeys + retiredKeys where keyID.map({ key.keyID?.hasSameBytes(as: $0) == true }) ?? true {
            content = try? await jwe.decrypt(with: .jwk(key), policy: policy).plaintext
            if content != nil { break }
        }
        guard let content else { return nil }
        // Nothing rests on it: the reader compares the state of the transaction that it leads to.
        let limits = reader.options.limits
        let token = try? JWT(compact: content, limits: JOSELimits(size: limits.size, depth: limits.depth))
        let parameters = (token?.jws.unverifiedPayload).flatMap { try? JSONValue(parsing: $0, limits: limits.json) }
        return (parameters ?? (try? JSONValue(parsing: content, limits: limits.json)))?["state"]?.stringValue
    }

    func expectation(_ stored: ResponseExpectation, of response: ReceivedResponse) -> ResponseExpectation {
        // A request that sends its key gets no response to another one.
        guard party.isKnownToWallets, stored.clientID != nil, let decryption = stored.decryption,
            let keyID = response.keyID, decryption.key.keyID?.hasSameBytes(as: keyID) != true,
            let key = (fixedKeys + retiredKeys).first(where: { $0.keyID?.hasSameBytes(as: keyID) == true })
        else { return stored }
        let other = try? ResponseDecryption(
            key: key,
            algorithm: decryption.algorithm,
            encryptions: decryption.encryptions
        )
        return other.map { stored.replacing(decryption: $0) } ?? stored
    }

    func newRequest(_ context: TransactionContext) async throws(TransactionError) -> NewRequest {
        try requireValidCertificates(for: context)
        let content = try content(of: context)
        do throws(OID4VPVerifierError) {
            let request = try Self.make(content, by: builder, context)
            return NewRequest(
                request: request,
                delivery: try await delivery(of: request, context),
                hasOwnKey: !party.encryption.isFixed
            )
        } catch {
            guard error.code == .signingFailed || error.code == .invalidRelyingParty else {
                throw TransactionError(
                    .invalidRequest,
                    "the request cannot be made",
                    path: error.path,
                    cause: error.withoutPlace
                )
            }
            throw TransactionError(.internalError, "the request could not be made", cause: error)
        }
    }

    /// Refuses a client whose certificates are not valid at the time: no wallet would take its request.
    private func requireValidCertificates(for context: TransactionContext) throws(TransactionError) {
        let isPlatform = context.wishes.form == .digitalCredentials
        for client in [party.client] + (isPlatform ? party.furtherClients : []) {
            for certificate in client.certificates where !certificate.isValid(at: context.time) {
                let isEarly = context.time < certificate.notValidBefore
                throw TransactionError(
                    .invalidCertificate,
                    isEarly
                        ? "the certificate of the client is not valid before \(certificate.notValidBefore)"
                        : "the certificate of the client expired on \(certificate.notValidAfter)",
                    path: ["client"]
                )
            }
        }
    }

    private static func make(
        _ content: RequestContent,
        by builder: RequestBuilder,
        _ context: TransactionContext
    ) throws(OID4VPVerifierError) -> CreatedRequest {
        func make(using random: some RandomSource) throws(OID4VPVerifierError) -> CreatedRequest {
            try builder.makeRequest(content, at: context.time, using: random)
        }
        return try make(using: context.randomness)
    }

    private func content(of context: TransactionContext) throws(TransactionError) -> RequestContent {
        let wishes = context.wishes
        let query: ResponseExpectation.Query
        do throws(OID4VPError) {
            switch wishes.query {
            case .dcql(let json):
                let dcql = try DCQLQuery(json: json)
                try policy.requireKnownAuthorities(of: dcql)
                query = .dcql(dcql)
            case .definition(let json): query = .definition(try PresentationDefinition(json: json))
            }
        } catch {
            throw TransactionError(
                .invalidRequest,
                "the query cannot be asked",
                path: error.path,
                cause: error.withoutPlace
            )
        }
        let isPlatform = wishes.form == .digitalCredentials
        let mode: ResponseMode =
            switch (isPlatform, wishes.isEncrypted) {
            case (true, true): .digitalCredentialsJWT
            case (true, false): .digitalCredentials
            case (false, true): .directPostJWT
            case (false, false): .directPost
            }
        var content = RequestContent(
            query,
            mode: mode,
            address: isPlatform ? nil : responseAddress(context),
            version: wishes.version
        )
        content.transactionData = wishes.transactionData
        content.intendedUse = wishes.intendedUse.map { ExactText($0) }
        content.lifetime = context.lifetime
        return content
    }

    /// The address of the response: that of the transaction, or the one that wallets know beforehand.
    private func responseAddress(_ context: TransactionContext) -> String {
        switch party.client.rule {
        case .preRegistered, .x509SANURI, .verifierAttestation, .federation: context.commonResponseURL
        default: context.responseURL
        }
    }

    private func delivery(
        of request: CreatedRequest,
        _ context: TransactionContext
    ) async throws(OID4VPVerifierError) -> NewRequest.Delivery {
        let invocation = context.wishes.walletLink
        func links(
            _ link: (String?) async throws(OID4VPVerifierError) -> String
        ) async throws(OID4VPVerifierError) -> NewRequest.Delivery {
            let text = try await link(nil)
            let wishes = context.wishes
            do throws(OID4VPError) {
                _ = try party.profile?.checkLink(demandsResponseCode: wishes.requiresResponseCode)
            } catch {
                return .links(qrText: text, link: nil)
            }
            guard let invocation else { return .links(qrText: text, link: text) }
            return .links(qrText: text, link: try await link(invocation))
        }
        switch context.wishes.form {
        case .reference:
            return try await links { invocation throws(OID4VPVerifierError) in
                try builder.link(
                    toReference: context.requestURL,
                    for: request,
                    method: context.wishes.requestMethod,
                    invocation: invocation
                )
            }
        case .value:
            let isSigned = party.client.signer != nil
            return try await links { invocation async throws(OID4VPVerifierError) in
                isSigned
                    ? try await builder.signedLink(for: request, invocation: invocation, at: context.time)
                    : try builder.unsignedLink(for: request, invocation: invocation)
            }
        case .digitalCredentials:
            let isSigned = party.client.signer != nil
            let form: DigitalCredentialsRequest.Form =
                !party.furtherClients.isEmpty ? .multiSigned : isSigned ? .signed : .unsigned
            let object = try await builder.digitalCredentialsRequest(for: request, form: form, at: context.time)
            return .digitalCredential(["protocol": .string(object.form.rawValue), "data": .object(object.data)])
        }
    }

    func requestObject(
        of request: CreatedRequest,
        for post: RequestURIPost?,
        at time: Date
    ) async throws(OID4VPVerifierError) -> String {
        try await builder.signedObject(of: request, for: post, at: time)
    }

    func verify(
        _ response: PresentationResponse,
        for expectation: ResponseExpectation,
        at time: Date
    ) async -> ResponseOutcome {
        let verifier = PresentationVerifier(party.verifiers, policy: policy) { time }
        return ResponseOutcome(await verifier.verify(response, for: expectation))
    }
}
