import CredentialTransport
public import CryptoCore
import JOSEKit
import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Makes requests for presentations (section 5): the parameters first, with fresh secrets, then any form of delivery.
///
/// ```swift
/// let builder = RequestBuilder(party)
/// let content = RequestContent(.dcql(query), address: "https://verifier.example/response/7f1c")
/// let request = try builder.makeRequest(content, at: now)
/// let link = try builder.link(toReference: "https://verifier.example/request/7f1c", for: request)
/// // when the wallet fetches it:
/// let object = try await builder.signedObject(of: request, at: now)
/// ```
public struct RequestBuilder: Sendable {
    /// The party that asks.
    public let party: RelyingParty

    /// Makes requests of a party.
    public init(_ party: RelyingParty) {
        self.party = party
    }

    /// Makes the parameters of a request, with a nonce, a state and an encryption key of its own.
    ///
    /// - Parameters:
    ///   - content: The query, and the way back for the answer.
    ///   - time: The time.
    ///   - random: The source of randomness.
    /// - Throws: ``OID4VPVerifierError/Code/invalidRequest`` for parameters that contradict each other or the version,
    ///   and for a deviation from the party's profile that it does not tolerate;
    ///   ``OID4VPVerifierError/Code/invalidRelyingParty`` for a fixed key that does not go with the party's algorithm.
    public func makeRequest(
        _ content: RequestContent,
        at time: Date,
        using random: some RandomSource = .system
    ) throws(OID4VPVerifierError) -> CreatedRequest {
        try check(content, at: time)
        let isPlatform = content.mode.address == .platform
        let isUnsignedPlatform = isUnsignedPlatform(content)
        let nonce = Base64URL.encode(random.bytes(16))
        let state = isPlatform ? nil : Base64URL.encode(random.bytes(16))
        let decryption = try decryption(content, using: random)
        let transactionData = try content.encodedTransactionData()
        var parameters: JSONObject = [:]
        var clientID: String?
        if !isUnsignedPlatform {
            let (id, scheme) = try party.client.identifier(for: content.version, address: content.address)
            clientID = id
            parameters["client_id"] = .string(id)
            if let scheme { parameters["client_id_scheme"] = .string(scheme) }
        }
        parameters["response_type"] = "vp_token"
        parameters["response_mode"] = .string(content.mode.text)
        if let address = content.address {
            parameters[content.mode.address == .redirectURI ? "redirect_uri" : "response_uri"] = .string(address)
        }
        parameters["nonce"] = .string(nonce)
        if let state { parameters["state"] = .string(state) }
        switch content.query {
        case .dcql(let query): parameters["dcql_query"] = query.json
        case .definition(let definition): parameters["presentation_definition"] = definition.json
        }
        if let metadata = try metadata(content, decryption) { parameters["client_metadata"] = .object(metadata) }
        if !transactionData.isEmpty {
            parameters["transaction_data"] = .array(transactionData.map { .string($0) })
        }
        let registrations = try registrations(content)
        if !registrations.isEmpty { parameters["verifier_info"] = .array(registrations.map(\.json)) }
        if isPlatform, !isUnsignedPlatform {
            parameters["expected_origins"] = .array(party.origins.map { .string($0) })
        }
        let expectation = ResponseExpectation(
            version: content.version,
            clientID: clientID,
            channel: content.address.map { .address($0) } ?? .digitalCredentials(origins: party.origins),
            mode: content.mode,
            nonce: nonce,
            state: state,
            query: content.query,
            transactionData: transactionData,
            decryption: decryption
        )
        return CreatedRequest(
            parameters: parameters,
            expectation: expectation,
            expiresAt: time.addingTimeInterval(content.lifetime),
            deviations: try profileDeviations(parameters, content)
        )
    }

    /// The key for an encrypted response; nil for one in the clear.
    private func decryption(
        _ content: RequestContent,
        using random: some RandomSource
    ) throws(OID4VPVerifierError) -> ResponseDecryption? {
        guard content.mode.isJWT else { return nil }
        return try party.encryption.decryption(
            for: content.version,
            isKnown: isKnown(content),
            using: random
        )
    }

    /// Indicates a request that names no client, so that wallets know nothing of it from elsewhere (appendix A.2).
    private func isUnsignedPlatform(_ content: RequestContent) -> Bool {
        content.mode.address == .platform && party.client.signer == nil
    }

    /// Indicates a request of which all identities are clients whose metadata wallets have from elsewhere.
    ///
    /// Over the Digital Credentials API a wallet answers any one of them, and needs the metadata of each.
    private func isKnown(_ content: RequestContent) -> Bool {
        guard content.mode.address == .platform else { return party.isKnownToWallets }
        return !isUnsignedPlatform(content) && ([party.client] + party.furtherClients).allSatisfy(\.isKnownToWallets)
    }

    private func check(_ content: RequestContent, at time: Date) throws(OID4VPVerifierError) {
        func invalid(_ message: String, _ path: String) -> OID4VPVerifierError {
            OID4VPVerifierError(.invalidRequest, message, path: [path])
        }
        switch (content.version, content.query) {
        case (.v1, .definition): throw invalid("1.0 has no presentation definitions", "presentation_definition")
        case (.v1, .dcql(let query)) where query.credentials.contains { $0.format == .olderSDJWT }:
            throw invalid("the format vc+sd-jwt is called dc+sd-jwt in 1.0", "dcql_query")
        case (.draft21, .dcql): throw invalid("draft 21 has no DCQL", "dcql_query")
        case (.draft23, .dcql): throw invalid("a request of draft 23 with DCQL is made as one of 1.0", "dcql_query")
        case (.draft21, .definition(let definition)), (.draft23, .definition(let definition)):
            guard content.mode.isJWT || !definition.needsMdoc else {
                throw invalid("an mdoc can be presented in encrypted responses alone", "response_mode")
            }
        default: break
        }
        switch content.mode.address {
        case .platform:
            guard content.address == nil else { throw invalid("a platform takes no address", "response_mode") }
            guard !party.origins.isEmpty else { throw invalid("the party has no origin", "expected_origins") }
            guard party.origins.allSatisfy(\.isOrigin) else {
                throw invalid("an origin is not one that a platform names", "expected_origins")
            }
            guard content.version == .v1 else { throw invalid("only requests of 1.0 are made", "response_mode") }
        case .responseURI, .redirectURI: try checkAddress(content)
        case .optionalResponseURI, nil: throw invalid("the mode is none of a verifier's own", "response_mode")
        }
        guard content.lifetime > 0, content.lifetime <= RequestContent.maximumLifetime else {
            throw invalid("the lifetime must be positive, and at most ten years", "exp")
        }
        guard time.wholeSeconds != nil, time.addingTimeInterval(content.lifetime).wholeSeconds != nil else {
            throw invalid("the time is outside of the years 1 to 9999", "exp")
        }
    }

    /// The address is https, and of the host that the certificate names.
    private func checkAddress(_ content: RequestContent) throws(OID4VPVerifierError) {
        let name = content.mode.address == .redirectURI ? "redirect_uri" : "response_uri"
        guard let address = content.address, let url = try? HTTPURL(address), url.scheme == .https else {
            throw OID4VPVerifierError(.invalidRequest, "it must be an https URL", path: [name])
        }
        guard party.client.rule == .x509SANDNS, let host = party.client.original else { return }
        guard url.host.description.lowercased() == host.lowercased() else {
            throw OID4VPVerifierError(.invalidRequest, "its host is not the client identifier", path: [name])
        }
    }

    private func registrations(_ content: RequestContent) throws(OID4VPVerifierError) -> [RegistrationCertificate] {
        guard let use = content.intendedUse else { return [] }
        guard content.version == .v1, let registrations = party.registrations[use] else {
            throw OID4VPVerifierError(
                .invalidRequest,
                "nothing is registered for the intended use \"\(use)\", or the version cannot say so",
                path: ["verifier_info"]
            )
        }
        return registrations
    }

    /// `client_metadata`; nil for clients whose metadata wallets have from elsewhere.
    private func metadata(
        _ content: RequestContent,
        _ decryption: ResponseDecryption?
    ) throws(OID4VPVerifierError) -> JSONObject? {
        let formats = try party.verifiers.formats(for: content.query)
        if party.isKnownToWallets, !isUnsignedPlatform(content), content.mode.isJWT,
            case .ephemeral = party.encryption.key
        {
            throw OID4VPVerifierError(
                .invalidRequest,
                "a client whose metadata wallets have from elsewhere cannot send a key: it needs a fixed one",
                path: ["client_metadata"]
            )
        }
        guard !isKnown(content) else { return nil }
        var members = party.metadata
        let name = content.version == .v1 ? "vp_formats_supported" : "vp_formats"
        members[name] = .object(party.verifiers.metadata(formats, for: content.version))
        guard let decryption, let key = decryption.key.publicJWK else { return members }
        members["jwks"] = ["keys": [.object(key.members)]]
        let names = decryption.encryptions.map { JSONValue.string($0.rawValue) }
        if content.version == .v1 {
            members["encrypted_response_enc_values_supported"] = .array(names)
        } else {
            members["authorization_encrypted_response_alg"] = .string(decryption.algorithm.rawValue)
            members["authorization_encrypted_response_enc"] = names[0]
        }
        return members
    }
}

extension RequestContent {
    /// The entries of `transaction_data`, after those rules that hold whatever their type is (section 8.4).
    fileprivate func encodedTransactionData() throws(OID4VPVerifierError) -> [String] {
        func invalid(_ message: String) -> OID4VPVerifierError {
            OID4VPVerifierError(.invalidRequest, message, path: ["transaction_data"])
        }
        guard transactionData.isEmpty || version != .draft21 else { throw invalid("draft 21 has no transactions") }
        var texts: [String] = []
        for entry in transactionData {
            guard entry["type"]?.stringValue?.isEmpty == false else { throw invalid("an entry has no type") }
            let ids = entry["credential_ids"]?.arrayValue?.map { $0.stringValue.map { QueryID($0) } } ?? []
            guard !ids.isEmpty else { throw invalid("an entry names no query") }
            for id in ids {
                guard let id, permitsTransaction(id) else {
                    throw invalid("an entry names an unknown query, or one without holder binding")
                }
            }
            texts.append(Base64URL.encode(JSONValue.object(entry).encoded()))
        }
        return texts
    }

    private func permitsTransaction(_ id: QueryID) -> Bool {
        switch query {
        case .dcql(let query): query[id]?.requiresHolderBinding == true
        case .definition(let definition): definition.descriptors.contains { $0.id == id }
        }
    }
}

extension PresentationDefinition {
    /// Indicates a credential that only an mdoc can be.
    ///
    /// In drafts the wallet's nonce, which the transcript of an mdoc has, comes in the header of an encrypted response
    /// (ISO/IEC TS 18013-7, Annex B).
    fileprivate var needsMdoc: Bool {
        descriptors.contains { descriptor in
            let formats = descriptor.formats.isEmpty ? formats : descriptor.formats
            return !formats.isEmpty && formats.allSatisfy { $0.format == .mdoc }
        }
    }
}
