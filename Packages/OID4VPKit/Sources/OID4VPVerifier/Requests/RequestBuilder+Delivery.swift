public import CryptoCore
import JOSEKit
public import JSONKit
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request for the Digital Credentials API: the argument that the page hands to the platform (appendix A).
public struct DigitalCredentialsRequest: Hashable, Sendable {
    /// The form of the request.
    public enum Form: String, Sendable {
        /// Parameters in the clear.
        case unsigned = "openid4vp-v1-unsigned"
        /// A signed request object.
        case signed = "openid4vp-v1-signed"
        /// A request object with a signature of each identity of the party.
        case multiSigned = "openid4vp-v1-multisigned"
    }

    /// The form, whose raw value is the protocol identifier.
    public let form: Form
    /// The member `data`.
    public let data: JSONObject
}

extension RequestBuilder {
    /// The audience of requests for wallets that were not discovered.
    private static let selfIssued = "https://self-issued.me/v2"
    static let objectType = "oauth-authz-req+jwt"

    /// The text for a link or a QR code, with a request by reference.
    ///
    /// - Parameters:
    ///   - address: The address of the request object.
    ///   - request: The request.
    ///   - method: The method to fetch it with; `post` also lets a wallet send its metadata and a nonce.
    ///   - invocation: The wallet's scheme or address up to its query; nil for that of the profile.
    /// - Throws: ``OID4VPVerifierError/Code/invalidRequest`` for a client that does not sign.
    public func link(
        toReference address: String,
        for request: CreatedRequest,
        method: RequestReference.Method = .get,
        invocation: String? = nil
    ) throws(OID4VPVerifierError) -> String {
        _ = try signer()
        var form = try clientParameters(request)
        form.append("request_uri", address)
        if method == .post { form.append("request_uri_method", method.rawValue) }
        return url(form, invocation)
    }

    /// The text for a link or a QR code, with a signed request by value.
    ///
    /// - Throws: ``OID4VPVerifierError/Code/invalidRequest``, ``OID4VPVerifierError/Code/signingFailed``.
    public func signedLink(
        for request: CreatedRequest,
        invocation: String? = nil,
        at time: Date
    ) async throws(OID4VPVerifierError) -> String {
        try checkDeliveryByValue(request)
        var form = try clientParameters(request)
        form.append("request", try await signedObject(of: request, at: time))
        return url(form, invocation)
    }

    /// The text for a link or a QR code, with an unsigned request by value.
    ///
    /// - Throws: ``OID4VPVerifierError/Code/invalidRequest`` for a client whose requests must be signed.
    public func unsignedLink(
        for request: CreatedRequest,
        invocation: String? = nil
    ) throws(OID4VPVerifierError) -> String {
        guard party.client.rule == .redirectURI || party.client.rule == .preRegistered else {
            throw OID4VPVerifierError(.invalidRequest, "requests of this client must be signed", path: ["client_id"])
        }
        try checkDeliveryByValue(request)
        _ = try clientParameters(request)
        return url(ResponseParameters(request.parameters).form, invocation)
    }

    /// The signed request object, made anew for each delivery.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - post: The wallet's nonce and metadata, where it fetches the object with POST.
    ///   - time: The time.
    ///   - random: The source of randomness for the encryption to a wallet.
    /// - Returns: The object in the compact serialization, for `application/oauth-authz-req+jwt`; encrypted if the
    ///   wallet's metadata have keys for it.
    /// - Throws: ``OID4VPVerifierError/Code/invalidRequest`` for a client that does not sign or a request that has
    ///   expired, ``OID4VPVerifierError/Code/clientChanged`` for a request that was made as another client than those of the
    ///   party, ``OID4VPVerifierError/Code/invalidWalletMetadata`` if the wallet supports nothing that fits,
    ///   ``OID4VPVerifierError/Code/signingFailed``.
    public func signedObject(
        of request: CreatedRequest,
        for post: RequestURIPost? = nil,
        at time: Date,
        using random: some RandomSource = .system
    ) async throws(OID4VPVerifierError) -> String {
        let builder = RequestBuilder(try party(of: request))
        let signer = try builder.signer()
        var claims = request.parameters
        if let metadata = post?.metadata { try builder.honor(metadata, of: signer, request, in: &claims) }
        try stamp(&claims, request, at: time)
        claims["aud"] = .string(post?.metadata?.issuer ?? Self.selfIssued)
        if let nonce = post?.walletNonce { claims["wallet_nonce"] = .string(nonce) }
        let header = try await builder.objectHeader(of: signer, for: post?.metadata, at: time)
        let object: String
        do throws(JOSEError) {
            let jws = try await JWS.sign(JSONValue.object(claims).encoded(), header: header, with: signer)
            object = try jws.compactSerialization()
        } catch {
            throw Self.unsigned(error)
        }
        guard let metadata = post?.metadata, let encryption = try RequestEncryption(metadata) else { return object }
        return try encryption.encrypt(object, using: random)
    }

    /// The request for the Digital Credentials API, which the page hands to the platform.
    ///
    /// - Throws: ``OID4VPVerifierError/Code/invalidRequest`` for a request of another channel, and for a form that the
    ///   party's identities do not permit; ``OID4VPVerifierError/Code/signingFailed``.
    public func digitalCredentialsRequest(
        for request: CreatedRequest,
        form: DigitalCredentialsRequest.Form,
        at time: Date
    ) async throws(OID4VPVerifierError) -> DigitalCredentialsRequest {
        guard request.expectation.channel.origins != nil else {
            throw OID4VPVerifierError(.invalidRequest, "the request is not for a platform", path: ["response_mode"])
        }
        switch form {
        case .unsigned:
            // It names no client, whose metadata a wallet could have from elsewhere.
            guard request.parameters.contains("client_metadata") else {
                throw OID4VPVerifierError(
                    .invalidRequest,
                    "a request of a client that wallets know is signed: without a signature it has no metadata",
                    path: ["client_metadata"]
                )
            }
            var parameters = request.parameters
            // A platform ignores them where nothing is signed.
            parameters["client_id"] = nil
            parameters["expected_origins"] = nil
            return DigitalCredentialsRequest(form: form, data: parameters)
        case .signed:
            let object = try await signedObject(of: request, at: time)
            return DigitalCredentialsRequest(form: form, data: ["request": .string(object)])
        case .multiSigned:
            return DigitalCredentialsRequest(form: form, data: ["request": try await multiSigned(request, at: time)])
        }
    }

    /// One payload with a signature of each identity, which the protected header names together with its own
    /// parameters.
    private func multiSigned(
        _ request: CreatedRequest,
        at time: Date
    ) async throws(OID4VPVerifierError) -> JSONValue {
        var claims = request.parameters
        let registrations = claims["verifier_info"]
        claims["client_id"] = nil
        claims["verifier_info"] = nil
        claims["aud"] = .string(Self.selfIssued)
        try stamp(&claims, request, at: time)
        var object: JWS?
        for client in [party.client] + party.furtherClients {
            guard let signer = client.signer else {
                throw OID4VPVerifierError(.invalidRequest, "an identity does not sign", path: ["client_id"])
            }
            var header = try await client.joseHeader(Self.objectType, at: time)
            header["client_id"] = .string(try client.identifier(for: .v1, address: nil).clientID)
            header["verifier_info"] = registrations
            do throws(JOSEError) {
                if let earlier = object {
                    object = try await earlier.addingSignature(header: header, with: signer)
                } else {
                    object = try await JWS.sign(JSONValue.object(claims).encoded(), header: header, with: signer)
                }
            } catch {
                throw Self.unsigned(error)
            }
        }
        do {
            return try JSONValue(parsing: object?.generalSerialization() ?? [])
        } catch {
            throw OID4VPVerifierError(.signingFailed, "the object cannot be written", cause: error)
        }
    }

    private static func unsigned(_ error: JOSEError) -> OID4VPVerifierError {
        OID4VPVerifierError(
            .signingFailed,
            "the request cannot be signed",
            path: error.path,
            cause: error.withoutPlace
        )
    }

    private func signer() throws(OID4VPVerifierError) -> any Signer {
        guard let signer = party.client.signer else {
            throw OID4VPVerifierError(.invalidRequest, "this client does not sign requests", path: ["client_id"])
        }
        return signer
    }

    /// The party under the identity that the link of a request names: identifiers made of a key or a certificate change with it,
    /// and no wallet would take an object of another one.
    private func party(of request: CreatedRequest) throws(OID4VPVerifierError) -> RelyingParty {
        let expectation = request.expectation
        guard let clientID = expectation.clientID else { return party }
        let address = ["response_uri", "redirect_uri"].lazy.compactMap { request.parameters[$0]?.stringValue }.first
        let client = ([party.client] + party.retiredClients).first {
            (try? $0.identifier(for: expectation.version, address: address))?.clientID == clientID
        }
        guard let client else {
            throw OID4VPVerifierError(
                .clientChanged,
                "the request was made as \(clientID), by an earlier key or certificate",
                path: ["client_id"]
            )
        }
        var party = party
        party.client = client
        return party
    }

    private func stamp(
        _ claims: inout JSONObject,
        _ request: CreatedRequest,
        at time: Date
    ) throws(OID4VPVerifierError) {
        guard time < request.expiresAt, let issuedAt = time.wholeSeconds, let expiresAt = request.expiresAt.wholeSeconds
        else { throw OID4VPVerifierError(.invalidRequest, "the request has expired", path: ["exp"]) }
        claims["iat"] = .integer(issuedAt)
        claims["exp"] = .integer(expiresAt)
    }

    /// The parameters that stand in the URL whatever the form is.
    private func clientParameters(_ request: CreatedRequest) throws(OID4VPVerifierError) -> FormParameters {
        guard request.expectation.channel.address != nil, let clientID = request.expectation.clientID else {
            throw OID4VPVerifierError(.invalidRequest, "the request is for a platform", path: ["response_mode"])
        }
        var form = FormParameters()
        form.append("client_id", clientID)
        if let scheme = request.parameters["client_id_scheme"]?.stringValue { form.append("client_id_scheme", scheme) }
        return form
    }

    private func url(_ form: FormParameters, _ invocation: String?) -> String {
        let start = invocation ?? (party.profile?.invocationSchemes.first ?? "openid4vp") + "://"
        return start + (start.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + form.text
    }
}
