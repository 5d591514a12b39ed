import Foundation
import JSONKit
import OID4VPFacade
import Testing

/// The types: fields, defaults, names on the wire.
struct TypeTests {
    private func json(_ value: some Encodable) throws -> JSONValue {
        try JSONValue(parsing: [UInt8](try JSONEncoder().encode(value)))
    }

    @Test func walletMetadataHasItsNamesInJSON() throws {
        let plain = try WalletMetadata(vpFormatsSupported: [.ldp_vc: VPFormatSupported(algValuesSupported: ["EdDSA"])])
        #expect(plain.presentationDefinitionURISupported && plain.clientIdSchemesSupported == [.preRegistered])
        #expect(
            try json(plain) == [
                "presentation_definition_uri_supported": true,
                "vp_formats_supported": ["ldp_vc": ["alg_values_supported": ["EdDSA"]]],
                "client_id_schemes_supported": ["pre-registered"],
            ]
        )
        let full = try WalletMetadata(
            presentationDefinitionURISupported: false,
            vpFormatsSupported: ["mso_mdoc": VPFormatSupported(algValuesSupported: nil)],
            clientIdSchemesSupported: [.did, .redirectUri],
            requestObjectSigningAlgValuesSupported: [.edDsa],
            authorizationEncryptionAlgValuesSupported: [.ecdhEs],
            authorizationEncryptionEncValuesSupported: [.A256GCM]
        )
        #expect(full.vpFormatsSupported.keys.map { $0 } == [.mso_mdoc])
        #expect(
            try json(full) == [
                "presentation_definition_uri_supported": false, "vp_formats_supported": ["mso_mdoc": [:]],
                "client_id_schemes_supported": ["did", "redirect_uri"],
                "request_object_signing_alg_values_supported": ["EdDSA"],
                "authorization_encryption_alg_values_supported": ["ECDH-ES"],
                "authorization_encryption_enc_values_supported": ["A256GCM"],
            ]
        )
    }

    @Test func refusesWalletMetadataWithoutAFormat() {
        #expect(throws: InvalidData.self) { try WalletMetadata(vpFormatsSupported: [FormatType: VPFormatSupported]()) }
        #expect(throws: InvalidData.self) {
            try WalletMetadata(vpFormatsSupported: ["x": VPFormatSupported(algValuesSupported: nil)])
        }
    }

    @Test func enumerationsHaveTheirNames() {
        #expect(FormatType.allCases.map(\.rawValue) == ["ldp_vc", "mso_mdoc", "vc+sd-jwt", "dc+sd-jwt"])
        #expect(ClientIdScheme.preRegistered.rawValue == "pre-registered")
        #expect(ClientIdScheme.redirectUri.rawValue == "redirect_uri" && ClientIdScheme.did.rawValue == "did")
        #expect(RequestSigningAlgorithm.edDsa.rawValue == "EdDSA")
        #expect(KeyManagementAlgorithm.ecdhEs.rawValue == "ECDH-ES")
        #expect(ContentEncryptionAlgorithm.A256GCM.rawValue == "A256GCM")
    }

    @Test func verifiersAreReadFromJSON() throws {
        let verifier = Verifier(clientId: "v", responseUris: ["https://v.example/"])
        #expect(verifier.jwksUri == nil && !verifier.allowUnsignedRequest)
        let text = #"{"client_id": "v", "response_uris": ["https://v.example/"]}"#
        #expect(try JSONDecoder().decode(Verifier.self, from: Data(text.utf8)) == verifier)
        #expect(try json(verifier)["allow_unsigned_request"] == false)
    }

    @Test func tokensAndResultsHaveTheirFields() {
        #expect(UnsignedLdpVPToken(dataToSign: "a").dataToSign == "a")
        let mdoc = UnsignedMdocVPToken(docTypeToDeviceAuthenticationBytes: ["t": "d8"])
        #expect(mdoc.docTypeToDeviceAuthenticationBytes == ["t": "d8"])
        #expect(UnsignedSdJwtVPToken(uuidToUnsignedKBT: ["u": "k"]).uuidToUnsignedKBT == ["u": "k"])
        let v2 = UnsignedVPTokenV2(
            format: .ldp_vc,
            holderKeyReference: "k",
            signatureAlgorithm: "EdDSA",
            dataToSign: "d"
        )
        #expect(v2.format == .ldp_vc && v2.holderKeyReference == "k" && v2.dataToSign == "d")
        let proof = LdpVPTokenSigningResult(jws: nil, proofValue: "z", signatureAlgorithm: "Ed25519Signature2020")
        #expect(proof.jws == nil && proof.proofValue == "z")
        let device = DeviceAuthentication(signature: "s", algorithm: "ES256")
        let signed = MdocVPTokenSigningResult(docTypeToDeviceAuthentication: ["t": device])
        #expect(signed.docTypeToDeviceAuthentication["t"]?.algorithm == "ES256")
        #expect(SdJwtVpTokenSigningResult(uuidToKbJWTSignature: ["u": "s"]).uuidToKbJWTSignature == ["u": "s"])
        #expect(VPTokenSigningResultV2(signedData: "s").signedData == "s")
    }
}
