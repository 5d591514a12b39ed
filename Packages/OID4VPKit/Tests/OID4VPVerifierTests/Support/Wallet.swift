import CBORKit
import CredentialTesting
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPVerifier
import SDJWTKit

/// Makes and sends presentations with the layers below, right ones and wrong ones.
enum Wallet {
    /// The response as it arrives at the verifier.
    static func send(
        _ parameters: JSONObject,
        _ request: CreatedRequest,
        partyUInfo: String? = nil,
        inTheClear: Bool = false
    ) throws -> ReceivedResponse {
        var parameters = parameters
        if let state = request.expectation.state, !parameters.contains("state") { parameters["state"] = .string(state) }
        let isPlatform = request.expectation.mode.address == .platform
        guard request.expectation.mode.isJWT, !inTheClear else {
            return try received(parameters, isPlatform)
        }
        var deviations: [Deviation] = []
        let version = request.expectation.version
        let members = request.parameters["client_metadata"]?.objectValue ?? [:]
        let encryption = try ResponseEncryption(
            try ClientMetadata(members, version: version, deviations: &deviations),
            version: version,
            deviations: &deviations
        )
        let text = try encryption.encrypt(
            parameters,
            partyUInfo: partyUInfo.map { Array($0.utf8) },
            partyVInfo: partyUInfo == nil ? nil : Array(request.expectation.nonce.utf8)
        )
        return try received(["response": .string(text)], isPlatform)
    }

    private static func received(_ parameters: JSONObject, _ isPlatform: Bool) throws -> ReceivedResponse {
        guard !isPlatform else { return ReceivedResponse(digitalCredentials: parameters, origin: Scene.origin) }
        return try ReceivedResponse(form: ResponseParameters(parameters).form.text)
    }
}

/// A change of one part of a presentation.
typealias Change<Part> = (inout Part) throws -> Void

extension Scene {
    /// The audience of presentations: the client of a request, or the origin of a page.
    static func audience(_ request: CreatedRequest) -> String {
        request.expectation.mode.address == .platform ? "origin:" + origin : request.expectation.clientID ?? ""
    }

    // MARK: SD-JWT VC

    func sdJWT(
        signedBy signer: SoftwareSigner? = nil,
        holderKey: JWK? = nil,
        type: String? = nil,
        _ change: Change<JSONObject> = { _ in }
    ) async throws -> SDJWT {
        var claims: JSONObject = [
            "iss": "https://issuer.example", "family_name": "Mustermann", "given_name": "Erika",
            "exp": .integer(Int64(Self.now.timeIntervalSince1970) + 86_400),
        ]
        try change(&claims)
        var builder = SDJWTBuilder(credentialType: Self.type, claims: claims)
        if let type { builder.type = type }
        try builder.conceal(["family_name"])
        try builder.conceal(["given_name"])
        builder.holderKey = try holderKey ?? JWK(holder.publicKey)
        return try await builder.sign(with: signer ?? issuer)
    }

    /// A presentation for a request.
    func presentedSDJWT(
        _ request: CreatedRequest,
        of credential: SDJWT? = nil,
        disclosing paths: [ClaimPath] = [["family_name"]],
        signedBy signer: SoftwareSigner? = nil,
        _ change: Change<KeyBinding> = { _ in }
    ) async throws -> JSONValue {
        let sdJWT: SDJWT
        if let credential { sdJWT = credential } else { sdJWT = try await self.sdJWT() }
        var binding = KeyBinding(
            audience: Self.audience(request),
            nonce: request.expectation.nonce,
            issuedAt: Self.now
        )
        try change(&binding)
        let presentation = try sdJWT.presentation(disclosing: paths)
        return .string(try await presentation.bound(by: signer ?? holder, binding).compactSerialization())
    }

    // MARK: mdoc

    /// The transcript of a request.
    static func transcript(_ request: CreatedRequest, walletNonce: String? = nil) -> SessionTranscript {
        let (expectation, thumbprint) = (request.expectation, request.expectation.decryption?.key.thumbprint())
        guard expectation.mode.address != .platform else {
            return SessionTranscript(
                handover: .openID4VPDigitalCredentialsAPI(
                    origin: origin,
                    nonce: expectation.nonce,
                    jwkThumbprint: thumbprint
                )
            )
        }
        guard let walletNonce else {
            return SessionTranscript(
                handover: .openID4VP(
                    clientID: expectation.clientID ?? "",
                    nonce: expectation.nonce,
                    jwkThumbprint: thumbprint,
                    responseURI: address
                )
            )
        }
        return SessionTranscript(
            handover: .openID4VPDraft23(
                clientID: expectation.clientID ?? "",
                responseURI: address,
                nonce: expectation.nonce,
                mdocGeneratedNonce: walletNonce
            )
        )
    }

    func mdoc(signed: Date = Self.now, _ change: Change<IssuerSignedBuilder> = { _ in }) async throws -> IssuerSigned {
        let validity = ValidityInfo(signed: signed, validFrom: signed, validUntil: signed + 86_400)
        var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: device.publicKey, validityInfo: validity)
        try builder.add("Mustermann", as: "family_name", in: .mDL)
        try change(&builder)
        return try await builder.sign(with: SoftwareSigner(pki.documentSignerKey), x5chain: [pki.documentSigner])
    }

    /// A DeviceResponse over a transcript.
    func presentedMdoc(
        _ transcript: SessionTranscript,
        of credentials: [IssuerSigned]? = nil,
        signedBy signer: SoftwareSigner? = nil
    ) async throws -> JSONValue {
        let all: [IssuerSigned]
        if let credentials { all = credentials } else { all = [try await mdoc()] }
        var documents: [MdocDocument] = []
        for credential in all {
            let prepared = try PreparedMdocDocument(credential, sessionTranscript: transcript)
            documents.append(try await prepared.signed(with: signer ?? device))
        }
        return .string(Base64URL.encode(try DeviceResponse(documents: documents).encodedBytes))
    }

    // MARK: W3C

    func w3cContent(_ format: CredentialFormat, subject: String? = nil) throws -> W3CCredentialContent {
        try W3CCredentialContent(
            version: format == .jwt ? .v1 : .v2,
            contexts: [Self.terms],
            issuer: DID.key(didIssuer.publicKey).text,
            subjects: [["id": .string(subject ?? DID.key(didHolder.publicKey).text), "degree": "Bachelor"]],
            validFrom: Self.now - 60
        )
    }

    func w3c(
        _ format: CredentialFormat,
        subject: String? = nil,
        signedBy signer: SoftwareSigner? = nil
    ) async throws -> VerifiableCredential {
        let content = try w3cContent(format, subject: subject)
        let signer = signer ?? didIssuer
        // The key is named as the issuer's, also where another key signs.
        let keyName = try Self.keyName(didIssuer)
        guard format == .linkedData else { return try await content.signedToken(keyID: keyName.text, with: signer) }
        let document = try await LinkedDataProver().sign(
            content.members,
            suite: .eddsaRDFC2022,
            options: LinkedDataProofOptions(verificationMethod: keyName, created: Self.now - 60),
            with: signer
        )
        return VerifiableCredential(.linkedData(document))
    }

    /// A presentation of W3C credentials for a request.
    func presentedW3C(
        _ format: CredentialFormat,
        _ request: CreatedRequest,
        of credentials: [VerifiableCredential]? = nil,
        nonce: String? = nil,
        audience: String? = nil,
        signedBy signer: SoftwareSigner? = nil
    ) async throws -> JSONValue {
        let all: [VerifiableCredential]
        if let credentials { all = credentials } else { all = [try await w3c(format)] }
        let content = try W3CPresentationContent(
            version: format == .jwt ? .v1 : .v2,
            holder: DID.key(didHolder.publicKey).text,
            credentials: all
        )
        let (nonce, audience) = (nonce ?? request.expectation.nonce, audience ?? Self.audience(request))
        let (keyName, signer) = (try Self.keyName(didHolder), signer ?? didHolder)
        guard format == .linkedData else {
            let signed = try await content.signedToken(
                nonce: ExactText(nonce),
                audience: ExactText(audience),
                keyID: keyName.text,
                with: signer
            )
            guard case .token(let token) = signed.form else { throw NoPresentations() }
            return .string(try token.compactSerialization())
        }
        let document = try await LinkedDataProver().sign(
            content.members,
            suite: .eddsaRDFC2022,
            options: LinkedDataProofOptions(
                verificationMethod: keyName,
                purpose: .authentication,
                created: Self.now,
                challenge: ExactText(nonce),
                domains: [ExactText(audience)]
            ),
            with: signer
        )
        return .object(document.unverifiedMembers)
    }

    /// The right presentation of a format.
    func presented(
        _ format: CredentialFormat,
        _ request: CreatedRequest,
        walletNonce: String? = nil
    ) async throws -> JSONValue {
        switch format {
        case .mdoc: try await presentedMdoc(Self.transcript(request, walletNonce: walletNonce))
        case .linkedData, .jwt: try await presentedW3C(format, request)
        default: try await presentedSDJWT(request)
        }
    }
}
