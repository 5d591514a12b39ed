import CryptoCore
import Foundation
import TestSupport

extension FuzzTarget {
    /// The validation of certificate paths, and the use of revocation lists.
    package static let certificateVerification = [
        FuzzTarget(name: "certificate-path") { bytes in
            let scene = CertificateFuzzScene.shared
            var script = FuzzScript(bytes)
            let place = Int(script.byte() % 2)
            let isSignedAgain = script.byte().isMultiple(of: 2)
            let policy = script.choice(of: CertificateFuzzScene.policies)
            var chain = scene.chain.map(\.derBytes)
            guard let node = DERNode(chain[place]) else { return require(false, "the scene's certificate is DER") }
            let edited = node.edited(by: &script)
            let issuer = place == 0 ? scene.intermediateKey : scene.rootKey
            chain[place] = (isSignedAgain ? FuzzKeys.signedAgain(edited, by: issuer) : edited).encoded
            let validator = CertificatePathValidator(anchors: [scene.root], policy: policy)
            let result = validator.validate(encodedChain: chain.map { $0[...] }, at: FuzzKeys.time)
            requireReason(result)
            let again = validator.validate(encodedChain: chain.map { $0[...] }, at: FuzzKeys.time)
            require(again.verified == result.verified && again.refusal == result.refusal, "a verdict changes")
            let certificate = try Certificate(der: chain[place])
            guard let valid = result.verified else { return }
            require(valid.isWithinValidity(at: FuzzKeys.time), "a chain is valid outside its validity")
            guard !isSignedAgain else { return }
            let genuine = scene.chain[place].tbsCertificateBytes
            require(
                !valid.certificates.contains(certificate) || certificate.tbsCertificateBytes == genuine,
                "a certificate that nobody signed is valid"
            )
        },
        FuzzTarget(name: "certificate-revocation") { bytes in
            let scene = CertificateFuzzScene.shared
            var script = FuzzScript(bytes)
            let isSignedAgain = script.byte().isMultiple(of: 2)
            guard let node = DERNode(scene.list.derBytes) else { return require(false, "the scene's list is DER") }
            let edited = node.edited(by: &script)
            let changed = isSignedAgain ? FuzzKeys.signedAgain(edited, by: scene.intermediateKey) : edited
            let list = try CertificateRevocationList(der: changed.encoded)
            let result = list.verify(issuer: scene.chain[1], at: FuzzKeys.time)
            requireReason(result)
            guard let verified = result.verified else { return }
            require(
                isSignedAgain || list.tbsCertListBytes == scene.list.tbsCertListBytes,
                "a list that nobody signed is verified"
            )
            let status = verified.status(of: scene.chain[0], at: FuzzKeys.time)
            require(
                status
                    == VerifiedCertificateRevocationLists([verified]).statuses(of: scene.valid, at: FuzzKeys.time)[0],
                "a list says the same alone and among others"
            )
            let isListed = list.revokedCertificates.contains { $0.serialNumber == scene.chain[0].serialNumber }
            if case .good = status { require(!isListed, "a certificate of the list is good") }
            if case .revoked = status { require(isListed, "a certificate that is not in the list is revoked") }
        },
    ]

    private static func requireReason<Value>(_ result: Verification<Value>) {
        let failed = result.checks.first { if case .failed = $0.outcome { true } else { false } }
        require(failed?.check == result.refusal?.check, "a refusal names another check than the first failed one")
        require(failed?.path == result.refusal?.path, "a refusal names another place than the first failed check")
    }
}

/// A root, an authority below it with constraints, a leaf, and a list that revokes another one.
private struct CertificateFuzzScene: Sendable {
    static let shared: CertificateFuzzScene = {
        do { return try InlineTask.run { try await CertificateFuzzScene() } } catch { fatalError("\(error)") }
    }()

    static let policies: [CertificatePathPolicy] = {
        var server = CertificatePathPolicy()
        server.leafPurposes = [.serverAuthentication]
        var lenient = CertificatePathPolicy()
        lenient.requiresValidAnchor = false
        lenient.leafKeyUsage = []
        return [CertificatePathPolicy(), server, lenient, .requestSigner, .mdocReader]
    }()

    let rootKey: PrivateKey
    let intermediateKey: PrivateKey
    let root: Certificate
    /// The leaf and its authority.
    let chain: [Certificate]
    let valid: ValidatedCertificateChain
    let list: CertificateRevocationList

    private init() async throws {
        let random = FuzzKeys.randomness(20)
        rootKey = try FuzzKeys.key(21)
        intermediateKey = try FuzzKeys.key(22)
        let validity = FuzzKeys.time - 3600...FuzzKeys.time + 86_400 * 300
        let authority = try await CertificateAuthority.root(
            subject: DistinguishedName(countryName: "UT", commonName: "Root"),
            signer: SoftwareSigner(rootKey),
            validity: validity,
            pathLength: 1,
            using: random
        )
        let intermediate = try await authority.subordinate(
            subject: DistinguishedName(countryName: "UT", commonName: "Authority"),
            signer: SoftwareSigner(intermediateKey),
            validity: validity,
            pathLength: 0,
            extensions: [
                .nameConstraints(
                    permitted: [.dns("example.org"), .email("example.org"), .uri(".example.org")],
                    excluded: [.dns("bad.example.org")]
                )
            ],
            using: random
        )
        guard let anyPolicy = OID("2.5.29.32.0") else { throw CocoaError(.coderInvalidValue) }
        let builder = CertificateBuilder(
            subject: try DistinguishedName(countryName: "UT", commonName: "Leaf"),
            publicKey: try FuzzKeys.key(23).publicKey,
            validity: validity,
            extensions: [
                .keyUsage(.digitalSignature), .extendedKeyUsage([.serverAuthentication, .mdlReaderAuthentication]),
                .subjectAlternativeName([
                    .dns("a.example.org"), .email("a@example.org"), .uri("https://a.example.org/x"),
                ]),
                .crlDistributionPoints(["https://a.example.org/crl"]), .certificatePolicies([anyPolicy]),
            ],
            using: random
        )
        let leaf = try await builder.issued(by: intermediate)
        root = authority.certificate
        chain = [leaf, intermediate.certificate]
        guard let valid = CertificatePathValidator(anchors: [root]).validate(chain, at: FuzzKeys.time).verified else {
            throw CocoaError(.coderInvalidValue)
        }
        self.valid = valid
        let revoked = RevokedCertificate(
            serialNumber: [1, 2, 3],
            revocationDate: FuzzKeys.time - 600,
            reason: .keyCompromise,
            invalidityDate: FuzzKeys.time - 700
        )
        list = try await RevocationListBuilder(
            thisUpdate: FuzzKeys.time - 60,
            nextUpdate: FuzzKeys.time + 3600,
            number: 7,
            revokedCertificates: [revoked]
        ).issued(by: intermediate)
    }
}
