import CredentialTesting
import CryptoCore
import Foundation
import TestSupport
import Testing

/// The choice of the anchor, the outcome of each check, and the effect of the policy.
@Suite
struct CertificatePathValidatorTests {
    private static let corpus = Task { try await CertificateCorpus(.p256) }

    @Test
    func annexDHoldsOnItsFirstAndLastSecond() throws {
        let validator = CertificatePathValidator(
            anchors: [try Certificate(der: AnnexD.iaca)],
            policy: .mdocDocumentSigner
        )
        let chain = [AnnexD.documentSigner[...]]
        for (text, reason): (String, Reason?) in [
            ("2020-10-01T00:00:00Z", nil), ("2021-10-01T00:00:00Z", nil), ("2020-09-30T23:59:59Z", .notYetValid),
            ("2021-10-01T00:00:01Z", .expired),
        ] {
            let result = validator.validate(encodedChain: chain, at: try Date(iso8601: text))
            #expect(result.refusal?.reason == reason, "\(text)")
        }
    }

    @Test
    func failuresNameTheCertificate() async throws {
        let corpus = try await Self.corpus.value
        let leaf = try await corpus.leaf(by: corpus.intermediate, validity: corpus.short)
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate])
        let late = corpus.start.addingTimeInterval(999 * 86_400)
        let failure = try #require(validator.validate([leaf, corpus.intermediate.certificate], at: late).refusal)
        #expect(failure.check == .certificateValidity)
        #expect(failure.path == ["certificates[0]"])
        #expect(!failure.isUnavailable)
        let early = validator.validate(
            [leaf, corpus.intermediate.certificate],
            at: corpus.start.addingTimeInterval(-1)
        )
        #expect(early.refusal?.path == [CertificatePathValidator.anchorName])
        let anchored = CertificatePathValidator(anchors: [try Certificate(der: AnnexD.iaca)])
        let expired = anchored.validate(encodedChain: [AnnexD.documentSigner[...]], at: late)
        #expect(expired.refusal?.reason == .expired)
        #expect(expired.refusal?.description.hasPrefix("expired (certificateValidity in certificates[0]): ") == true)
    }

    @Test
    func everyCheckIsReportedInOrder() async throws {
        let corpus = try await Self.corpus.value
        let leaf = try await corpus.leaf(by: corpus.root)
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate])
        let good = validator.validate([leaf], at: corpus.noon)
        #expect(good.checks.map(\.check) == CertificatePathValidator.checks)
        #expect(good.checks.allSatisfy { $0.outcome == .passed })
        let unknown = CertificatePathValidator(anchors: []).validate([leaf], at: corpus.noon)
        #expect(unknown.checks.map(\.check) == CertificatePathValidator.checks)
        #expect(unknown.checks.prefix(2).allSatisfy { $0.outcome == .passed })
        #expect(unknown.checks.dropFirst(3).allSatisfy { $0.outcome == .notReached })
        let odd = CertificateExtension(id: .freshestCRL, isCritical: true, value: DER.sequence())
        let broken = try await corpus.leaf(by: corpus.root, validity: corpus.short, extensions: [odd])
        let result = validator.validate([broken], at: corpus.start)
        let failed = result.checks.filter { if case .failed = $0.outcome { true } else { false } }.map(\.check)
        #expect(failed == [.criticalExtensions, .certificateValidity])
        #expect(result.checks.first { $0.check == .certificateSignatures }?.outcome == .notReached)
        #expect(result.refusal?.reason == .unknownCriticalExtension)
    }

    @Test
    func chainsThatCannotBeTaken() async throws {
        let corpus = try await Self.corpus.value
        let leaf = try await corpus.leaf(by: corpus.root)
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate])
        #expect(validator.validate([], at: corpus.noon).refusal?.reason == .emptyChain)
        #expect(validator.validate(encodedChain: [], at: corpus.noon).refusal?.reason == .emptyChain)
        let eight = Array(repeating: leaf, count: 8)
        #expect(validator.validate(eight, at: corpus.noon).refusal == nil)
        #expect(validator.validate(eight + [leaf], at: corpus.noon).refusal?.reason == .chainTooLong)
        let encoded = (eight + [leaf]).map { $0.derBytes[...] }
        #expect(validator.validate(encodedChain: encoded, at: corpus.noon).refusal?.reason == .chainTooLong)
        let garbage = validator.validate(encodedChain: [leaf.derBytes[...], [1, 2]], at: corpus.noon)
        #expect(garbage.refusal?.reason == .malformedCertificate)
        #expect(garbage.refusal?.check == .certificateEncoding)
        #expect(garbage.refusal?.path == ["certificates[1]"])
    }

    /// Names always, other extensions that nothing here needs where they are critical (RFC 5280, 4.2).
    @Test(arguments: [
        ("2.5.29.17", false, false), ("2.5.29.17", true, false), ("2.5.29.18", true, false), ("2.5.29.31", true, false),
        ("2.5.29.32", true, false), ("2.5.29.18", false, true), ("2.5.29.31", false, true), ("2.5.29.32", false, true),
    ])
    func extensionsThatCannotBeRead(_ id: String, _ isCritical: Bool, _ isValid: Bool) async throws {
        let corpus = try await Self.corpus.value
        let text = CertificateExtension(
            id: try #require(OID(id)),
            isCritical: isCritical,
            value: Array("good.example".utf8)
        )
        let unsigned = try CertificateBuilder(
            subject: DistinguishedName(commonName: "Unreadable"),
            publicKey: corpus.root.signer.publicKey,
            validity: corpus.long,
            extensions: [text]
        ).prepared(issuer: corpus.root.certificate, algorithm: .ecdsaSHA256)
        // Put together by hand, since the builder notices what cannot be read.
        let signature = try await corpus.root.signer.signature(for: unsigned.bytesToSign)
        let encodedSignature = try ECDSASignature(rawRepresentation: signature, curve: .p256).derRepresentation
        let leaf = try Certificate(
            der: DER.sequence(unsigned.bytesToSign, RawCertificate.ecdsaSHA256, DER.bitString(encodedSignature))
        )
        let result = CertificatePathValidator(anchors: [corpus.root.certificate]).validate([leaf], at: corpus.noon)
        #expect(result.refusal?.reason == (isValid ? nil : .malformedCertificate))
        #expect(result.refusal?.check == (isValid ? nil : .certificateEncoding))
    }

    @Test
    func shortRSAKeysNeedThePolicy() async throws {
        let corpus = try await Self.corpus.value
        let short = try PublicKey(
            rsaModulus: [UInt8](repeating: 0xc5, count: 128),
            exponent: [1, 0, 1] as [UInt8],
            options: .insecureShortRSA
        )
        let leaf = try await CertificateBuilder(
            subject: DistinguishedName(commonName: "Short"),
            publicKey: short,
            validity: corpus.long
        ).issued(by: corpus.root)
        #expect(throws: CryptoError.self) { try leaf.publicKey() }
        #expect(try leaf.publicKey(options: .insecureShortRSA) == short)
        for (size, isValid) in [(2048, false), (1025, false), (1024, true)] {
            var policy = CertificatePathPolicy()
            policy.minimumRSAKeySize = size
            let validator = CertificatePathValidator(anchors: [corpus.root.certificate], policy: policy)
            let result = validator.validate([leaf], at: corpus.noon)
            #expect(result.refusal?.reason == (isValid ? nil : .weakKey))
            #expect(result.verified?.leafPublicKey == (isValid ? short : nil))
        }
    }

    /// RFC 5280, 4.1.2.4.
    @Test
    func anIssuerHasAName() async throws {
        let corpus = try await Self.corpus.value
        let nameless = try await CertificateAuthority.root(
            subject: .empty,
            signer: corpus.root.signer,
            validity: corpus.long
        )
        let leaf = try await corpus.leaf(by: nameless)
        let result = CertificatePathValidator(anchors: [nameless.certificate]).validate([leaf], at: corpus.noon)
        #expect(result.refusal?.reason == .issuerNameMismatch)
        #expect(result.refusal?.path == ["certificates[0]"])
    }

    @Test
    func everyAnchorThatFitsIsTried() async throws {
        let corpus = try await Self.corpus.value
        let leaf = try await corpus.leaf(by: corpus.root)
        let impostor = try await corpus.authority(
            name: "Corpus root",
            extensions: [
                .certificateAuthority(pathLength: nil), .keyUsage(.keyCertSign),
                .subjectKeyIdentifier(corpus.root.certificate.subjectKeyIdentifier ?? []),
            ]
        ).certificate
        let validator = CertificatePathValidator(anchors: [impostor, corpus.root.certificate])
        #expect(validator.validate([leaf], at: corpus.noon).verified?.anchor == corpus.root.certificate)
        let only = CertificatePathValidator(anchors: [impostor]).validate([leaf], at: corpus.noon)
        #expect(only.refusal?.reason == .invalidSignature)
    }

    @Test
    func certificatesAboveTheAnchorAreNotLookedAt() async throws {
        let corpus = try await Self.corpus.value
        let leaf = try await corpus.leaf(by: corpus.intermediate)
        let validator = CertificatePathValidator(anchors: [corpus.intermediate.certificate])
        let stranger = try Certificate(der: AnnexD.iaca)
        let result = validator.validate([leaf, corpus.intermediate.certificate, stranger], at: corpus.noon)
        #expect(result.verified?.certificates == [leaf])
        #expect(result.verified?.anchor == corpus.intermediate.certificate)
    }

    @Test
    func aLeafThatIsAnAnchorNeedsThePolicy() async throws {
        let corpus = try await Self.corpus.value
        let leaf = try await corpus.leaf(by: corpus.root)
        let strict = CertificatePathValidator(anchors: [leaf]).validate([leaf], at: corpus.noon)
        #expect(strict.refusal?.reason == .leafIsTrustAnchor)
        var policy = CertificatePathPolicy()
        policy.acceptsTrustedLeaf = true
        let pinned = CertificatePathValidator(anchors: [leaf], policy: policy)
        #expect(pinned.validate([leaf], at: corpus.noon).verified?.leaf == leaf)
        #expect(pinned.validate([leaf], at: corpus.noon).verified?.certificates == [])
        let late = corpus.start.addingTimeInterval(2000 * 86_400)
        #expect(pinned.validate([leaf], at: late).refusal?.reason == .expired)
        let selfIssued = CertificatePathValidator(anchors: [corpus.root.certificate])
        #expect(selfIssued.validate([corpus.root.certificate], at: corpus.noon).refusal?.reason == .leafIsTrustAnchor)
    }

    @Test
    func anExpiredAnchorIsUpToThePolicy() async throws {
        let corpus = try await Self.corpus.value
        let old = try await corpus.authority(
            validity: corpus.short,
            extensions: [.certificateAuthority(pathLength: nil), .keyUsage(.keyCertSign)]
        )
        let leaf = try await corpus.leaf(by: old)
        let late = corpus.start.addingTimeInterval(5 * 86_400)
        let strict = CertificatePathValidator(anchors: [old.certificate]).validate([leaf], at: late)
        #expect(strict.refusal?.reason == .expired)
        #expect(strict.refusal?.path == [CertificatePathValidator.anchorName])
        var policy = CertificatePathPolicy()
        policy.requiresValidAnchor = false
        let lenient = CertificatePathValidator(anchors: [old.certificate], policy: policy)
        #expect(lenient.validate([leaf], at: late).verified?.notValidAfter == leaf.notValidAfter)
    }

    /// The dates of certificates have no fractions of a second, and clocks do.
    @Test
    func theLastSecondCountsToItsEnd() async throws {
        let corpus = try await Self.corpus.value
        let leaf = try await corpus.leaf(by: corpus.root, validity: corpus.short)
        let cache = CertificateChainCache()
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate], cache: cache)
        for _ in 0..<2 {
            let within = leaf.notValidAfter.addingTimeInterval(0.75)
            let verified = try #require(validator.validate([leaf], at: within).verified)
            #expect(verified.isWithinValidity(at: within) && leaf.isValid(at: within))
            let after = leaf.notValidAfter.addingTimeInterval(1)
            #expect(validator.validate([leaf], at: after).refusal?.reason == .expired)
            #expect(!verified.isWithinValidity(at: after) && !leaf.isValid(at: after))
        }
    }

    /// Of several certificates outside their validity, the highest decides; a valid anchor takes precedence over an
    /// expired one of the same key.
    @Test
    func theAnchorsValidityDecidesBeforeTheLeafs() async throws {
        let corpus = try await Self.corpus.value
        let old = try await CertificateAuthority.root(
            subject: corpus.root.certificate.subject,
            signer: corpus.root.signer,
            validity: corpus.short
        )
        let leaf = try await corpus.leaf(by: old, validity: corpus.short)
        let late = leaf.notValidAfter.addingTimeInterval(1)
        try #require(old.certificate.notValidAfter < late && late < corpus.root.certificate.notValidAfter)
        let alone = CertificatePathValidator(anchors: [old.certificate]).validate([leaf], at: late)
        #expect(alone.refusal?.path == [CertificatePathValidator.anchorName])
        #expect(alone.refusal?.reason == .expired)
        for anchors in [[old.certificate, corpus.root.certificate], [corpus.root.certificate, old.certificate]] {
            let both = CertificatePathValidator(anchors: anchors).validate([leaf], at: late)
            #expect(both.refusal?.path == ["certificates[0]"])
            #expect(both.refusal?.reason == .expired)
        }
    }

    @Test
    func purposesAndUsesOfTheLeaf() async throws {
        let corpus = try await Self.corpus.value
        var policy = CertificatePathPolicy()
        policy.leafPurposes = [.mdlDocumentSigner]
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate], policy: policy)
        let fitting = try await corpus.leaf(by: corpus.root, extensions: [.extendedKeyUsage([.mdlDocumentSigner])])
        #expect(validator.validate([fitting], at: corpus.noon).refusal == nil)
        let without = try await corpus.leaf(by: corpus.root)
        #expect(validator.validate([without], at: corpus.noon).refusal?.reason == .missingPurpose)
        let any = try await corpus.leaf(by: corpus.root, extensions: [.extendedKeyUsage([.anyExtendedKeyUsage])])
        #expect(validator.validate([any], at: corpus.noon).refusal?.reason == .missingPurpose)
        let plain = CertificatePathValidator(anchors: [corpus.root.certificate])
        let reversed = plain.validate([corpus.intermediate.certificate, without], at: corpus.noon)
        #expect(reversed.refusal?.reason == .keyUsageNotAllowed)
    }

    /// Qualified seals have keys for non-repudiation alone; who signs a request proves to be there.
    @Test
    func keysForNonRepudiationSignCredentials() async throws {
        let corpus = try await Self.corpus.value
        let seal = try await corpus.leaf(by: corpus.root, usage: .nonRepudiation)
        let number = try #require(OID("1.3.6.1.5.5.7.3.30"))
        let lister = try await corpus.leaf(
            by: corpus.root,
            usage: .nonRepudiation,
            extensions: [.extendedKeyUsage([number])]
        )
        for (policy, leaf, reason) in [
            (.credentialIssuer, seal, nil), (.statusListTokenSigner(purposes: [number]), lister, nil),
            (.requestSigner, seal, .keyUsageNotAllowed), (CertificatePathPolicy(), seal, .keyUsageNotAllowed),
        ] as [(CertificatePathPolicy, Certificate, Reason?)] {
            let validator = CertificatePathValidator(anchors: [corpus.root.certificate], policy: policy)
            #expect(validator.validate([leaf], at: corpus.noon).refusal?.reason == reason)
        }
    }

    @Test(arguments: [[0], [UInt8](repeating: 1, count: 21)])
    func unusualSerialNumbersRefuseNoSigner(_ serialNumber: [UInt8]) async throws {
        let corpus = try await Self.corpus.value
        let leaf = try await corpus.leaf(by: corpus.root, serialNumber: serialNumber)
        for policy in [CertificatePathPolicy.requestSigner, .credentialIssuer] {
            let validator = CertificatePathValidator(anchors: [corpus.root.certificate], policy: policy)
            let chain = try validator.validate([leaf], at: corpus.noon).get()
            #expect(chain.toleratedDeviations.count == 1)
        }
    }

    @Test
    func algorithmsAreUpToThePolicy() async throws {
        let corpus = try await Self.corpus.value
        let leaf = try await corpus.leaf(by: corpus.root)
        var policy = CertificatePathPolicy()
        policy.signatureAlgorithms = [.ecdsaSHA384]
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate], policy: policy)
        #expect(validator.validate([leaf], at: corpus.noon).refusal?.reason == .disallowedSignatureAlgorithm)
    }

    @Test
    func unknownAlgorithmsAndKeysAreToldApart() async throws {
        let corpus = try await Self.corpus.value
        let name = [UInt8](corpus.root.certificate.subject.encodedBytes)
        let unknown = DER.sequence([0x06, 0x03, 0x2a, 0x03, 0x04])
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate])
        func reason(_ change: (inout RawCertificate) -> Void) throws -> Reason? {
            var raw = RawCertificate()
            raw.issuer = name
            raw.publicKeyInfo = Array(corpus.root.certificate.subjectPublicKeyInfo)
            change(&raw)
            return validator.validate(encodedChain: [raw.der[...]], at: corpus.noon).refusal?.reason
        }
        let algorithm = try reason {
            $0.innerAlgorithm = unknown
            $0.outerAlgorithm = unknown
        }
        #expect(algorithm == .unsupportedSignatureAlgorithm)
        #expect(try reason { $0.publicKeyInfo = DER.sequence(unknown, DER.bitString([1])) } == .unsupportedKey)
        #expect(try reason { _ in } == .invalidSignature)
        let sha1 = DER.sequence([0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01])
        let weak = try reason {
            $0.innerAlgorithm = sha1
            $0.outerAlgorithm = sha1
        }
        #expect(weak == .disallowedSignatureAlgorithm)
        let edwards = DER.sequence([0x06, 0x03, 0x2b, 0x65, 0x70])
        let mismatch = try reason {
            $0.innerAlgorithm = edwards
            $0.outerAlgorithm = edwards
        }
        #expect(mismatch == .unsupportedSignatureAlgorithm)
    }

    @Test
    func namesAreComparedAsThePolicySays() async throws {
        let corpus = try await Self.corpus.value
        let printable = DER.sequence(DER.attribute([0x55, 0x04, 3], DER.element(0x13, Array("corpus  ROOT".utf8))))
        let signer = try CertificateKeyKind.p256.signer(0)
        func root(_ name: DistinguishedName) async throws -> CertificateAuthority {
            try await .root(subject: name, signer: signer, validity: corpus.long)
        }
        let written = try await root(DistinguishedName(der: printable))
        let anchor = try await root(DistinguishedName(commonName: "Corpus root"))
        let leaf = try await corpus.leaf(by: written)
        let relaxed = CertificatePathValidator(anchors: [anchor.certificate])
        #expect(relaxed.validate([leaf], at: corpus.noon).refusal == nil)
        var policy = CertificatePathPolicy()
        policy.nameComparison = .bytes
        let exact = CertificatePathValidator(anchors: [anchor.certificate], policy: policy)
        #expect(exact.validate([leaf], at: corpus.noon).refusal?.reason == .noTrustAnchor)
    }

    @Test
    func criticalExtensionsThatTheCallerProcesses() async throws {
        let corpus = try await Self.corpus.value
        let id = try #require(OID("1.3.6.1.4.1.99999.1"))
        let own = CertificateExtension(id: id, isCritical: true, value: DER.sequence())
        let leaf = try await corpus.leaf(by: corpus.root, extensions: [own])
        var policy = CertificatePathPolicy()
        policy.recognizedCriticalExtensions = [id]
        let knowing = CertificatePathValidator(anchors: [corpus.root.certificate], policy: policy)
        #expect(knowing.validate([leaf], at: corpus.noon).refusal == nil)
        let other = CertificatePathValidator(anchors: [corpus.root.certificate])
        #expect(other.validate([leaf], at: corpus.noon).refusal?.reason == .unknownCriticalExtension)
    }

    @Test
    func deviationsRefuseUnlessTheyAreTolerated() async throws {
        let pki = try await MdocTestPKI.make(at: try Date(iso8601: "2026-01-15T12:00:00Z"))
        let time = try Date(iso8601: "2026-01-16T12:00:00Z")
        let readerAsSigner = CertificatePathValidator(
            anchors: [pki.readerAuthority.certificate],
            policy: .mdocDocumentSigner
        )
        let refused = readerAsSigner.validate([pki.reader], at: time)
        #expect(refused.refusal?.reason == .profileDeviation)
        #expect(refused.refusal?.check == .certificateProfile)
        var policy = CertificatePathPolicy.mdocDocumentSigner
        policy.toleratedDeviations = [.extendedKeyUsage]
        let tolerant = CertificatePathValidator(anchors: [pki.readerAuthority.certificate], policy: policy)
        let chain = try #require(tolerant.validate([pki.reader], at: time).verified)
        #expect(Set(chain.toleratedDeviations.map(\.kind)) == [.extendedKeyUsage])
    }

    @Test
    func keyIdentifiersWithinTheChainMustFit() async throws {
        let corpus = try await Self.corpus.value
        let wrong = try await corpus.leaf(by: corpus.intermediate, extensions: [.authorityKeyIdentifier([1, 2, 3])])
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate])
        let result = validator.validate([wrong, corpus.intermediate.certificate], at: corpus.noon)
        #expect(result.refusal?.reason == .keyIdentifierMismatch)
    }
}
