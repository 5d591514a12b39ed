import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

@Suite struct X509IssuerKeysTests {
    private let scene: Scene
    private let root: CertificateAuthority
    private let leaf: Certificate

    init() async throws {
        scene = try Scene()
        let validity = scene.now.addingTimeInterval(-86_400)...scene.now.addingTimeInterval(86_400)
        root = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Root"),
            signer: try Scene.signer(11),
            validity: validity
        )
        leaf = try await CertificateBuilder(
            subject: DistinguishedName(commonName: "Issuer"),
            publicKey: scene.issuer.publicKey,
            validity: validity,
            extensions: [
                .keyUsage(.digitalSignature),
                .subjectAlternativeName([.dns("issuer.example"), .uri("urn:issuer:1")]),
            ]
        ).issued(by: root)
    }

    private func header(_ chain: [Certificate]) -> JOSEHeader {
        var header = JOSEHeader()
        header.setCertificateChain(chain.map(\.derBytes).map { Array($0) })
        return header
    }

    private func verification(
        issuer: JSONValue? = "https://issuer.example",
        header: JOSEHeader,
        keys: X509IssuerKeys,
        at time: Date? = nil
    ) async throws -> Verification<VerifiedSDJWT> {
        var claims: JSONObject = ["a": 1]
        claims["iss"] = issuer
        let credential = try await SDJWTBuilder(credentialType: "t", claims: claims)
            .sign(with: scene.issuer, header: header)
        let now = time ?? scene.now
        let verifier = SDJWTVerifier(policy: .credential(algorithms: [.es256]), issuerKeys: keys, clock: { now })
        return await verifier.verify(credential, expecting: .noKeyBinding)
    }

    @Test func aTrustedChainGivesTheKey() async throws {
        let keys = X509IssuerKeys(anchors: [root.certificate])
        for issuer: JSONValue? in ["https://issuer.example", "https://issuer.example/path", "urn:issuer:1", nil] {
            let verified = try await verification(issuer: issuer, header: header([leaf]), keys: keys).get()
            #expect(verified.issuerCertificateChain?.leaf == leaf)
            #expect(verified.issuerName == issuer?.stringValue ?? "CN=Issuer")
        }
    }

    @Test func theCertificateMustNameTheIssuer() async throws {
        let keys = X509IssuerKeys(anchors: [root.certificate])
        for issuer: JSONValue in [
            "https://evil.example", "http://issuer.example", "https://issuer.example.evil.example", "urn:issuer:2",
            "https://issuer.example?x", "https://user@issuer.example", "issuer.example", "",
        ] {
            let verification = try await verification(issuer: issuer, header: header([leaf]), keys: keys)
            verification.expectRefusal(.issuerKey, .issuerMismatch)
        }
        let tolerant = X509IssuerKeys(anchors: [root.certificate], nameRule: .notCompared)
        let evil = try await verification(issuer: "https://evil.example", header: header([leaf]), keys: tolerant).get()
        #expect(evil.issuer == "https://evil.example" && evil.issuerName == "CN=Issuer")
    }

    @Test func anUntrustedChainGivesNone() async throws {
        let other = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Other"),
            signer: try Scene.signer(12),
            validity: scene.now.addingTimeInterval(-10)...scene.now.addingTimeInterval(10)
        )
        let keys = X509IssuerKeys(anchors: [other.certificate])
        try await verification(header: header([leaf]), keys: keys).expectRefusal(.issuerKey, .issuerNotTrusted)
        let trusting = X509IssuerKeys(anchors: [root.certificate])
        let late = scene.now.addingTimeInterval(100_000)
        try await verification(header: header([leaf]), keys: trusting, at: late)
            .expectRefusal(.issuerKey, .issuerNotTrusted)
        try await verification(header: [:], keys: trusting).expectRefusal(.issuerKey, .issuerKeyNotFound)
        try await verification(header: ["x5c": "x"], keys: trusting).expectRefusal(.issuerKey, .issuerKeyNotFound)
        try await verification(header: ["x5c": [1]], keys: trusting).expectRefusal(.issuerKey, .issuerKeyNotFound)
        try await verification(header: header(Array(repeating: leaf, count: 20)), keys: trusting)
            .expectRefusal(.issuerKey, .limitExceeded)
    }

    /// A chain to the anchor is not an entitlement: the purposes of a certificate decide.
    @Test func certificatesThatAreForSomethingElse() async throws {
        let keys = X509IssuerKeys(anchors: [root.certificate])
        for (purposes, isTaken) in [
            ([], true), ([.mdlDocumentSigner], true), ([.mdocDocumentSigner, .mdlDocumentSigner], true),
            ([.serverAuthentication], false), ([.clientAuthentication], false), ([.mdlReaderAuthentication], false),
            ([.mdlVICALSigner], false), ([.anyExtendedKeyUsage], false),
            ([.mdlDocumentSigner, .serverAuthentication], true),
        ] as [([OID], Bool)] {
            let certificate = try await CertificateBuilder(
                subject: DistinguishedName(commonName: "Issuer"),
                publicKey: scene.issuer.publicKey,
                validity: leaf.notValidBefore...leaf.notValidAfter,
                extensions: [.keyUsage(.digitalSignature), .subjectAlternativeName([.dns("issuer.example")])]
                    + (purposes.isEmpty ? [] : [.extendedKeyUsage(purposes)])
            ).issued(by: root)
            let verification = try await verification(header: header([certificate]), keys: keys)
            if isTaken {
                #expect(verification.verified != nil, "\(purposes)")
            } else {
                verification.expectRefusal(.issuerKey, .issuerNotTrusted)
            }
        }
    }

    @Test func theThumbprintMustBeTheCertificates() async throws {
        let keys = X509IssuerKeys(anchors: [root.certificate])
        var header = header([leaf])
        header["x5t#S256"] = .string(Base64URL.encode(leaf.fingerprint))
        #expect(try await verification(header: header, keys: keys).verified != nil)
        header["x5t#S256"] = .string(Base64URL.encode(root.certificate.fingerprint))
        try await verification(header: header, keys: keys).expectRefusal(.issuerKey, .issuerMismatch)
        header["x5t#S256"] = nil
        header["x5t"] = .string(Base64URL.encode(HashAlgorithm.sha1.digest(of: leaf.derBytes)))
        #expect(try await verification(header: header, keys: keys).verified != nil)
        for wrong: JSONValue in [
            .string(Base64URL.encode(HashAlgorithm.sha1.digest(of: root.certificate.derBytes))), "AAAA", 1,
        ] {
            header["x5t"] = wrong
            try await verification(header: header, keys: keys).expectRefusal(.issuerKey, .issuerMismatch)
        }
    }

    @Test func theKeyOfTheCertificateSigns() async throws {
        let other = try await CertificateBuilder(
            subject: DistinguishedName(commonName: "Issuer"),
            publicKey: scene.stranger.publicKey,
            validity: scene.now.addingTimeInterval(-10)...scene.now.addingTimeInterval(10),
            extensions: [.keyUsage(.digitalSignature), .subjectAlternativeName([.dns("issuer.example")])]
        ).issued(by: root)
        let builder = SDJWTBuilder(credentialType: "t", claims: ["iss": "https://issuer.example"])
        var header = header([other])
        await expectRefusal(.invalidValue) { [header] in try await builder.sign(with: scene.issuer, header: header) }
        // One who signs elsewhere can have it all the same.
        header["alg"] = "ES256"
        let unsigned = try builder.prepare(header: header)
        let credential = try unsigned.completed(with: try scene.issuer.signature(for: unsigned.bytesToSign))
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: X509IssuerKeys(anchors: [root.certificate]),
            clock: { [now = scene.now] in now }
        )
        await verifier.verify(credential, expecting: .noKeyBinding)
            .expectRefusal(.issuerSignature, .invalidIssuerSignature)
    }
}
