import CBORKit
import COSEKit
import CryptoCore
import Foundation
import StatusListKit
import Testing

@Suite struct CertificateChainTests {
    private func verify(
        _ maker: TokenMaker,
        with key: StatusListKey,
        at now: Date = TokenMaker.now
    ) async throws -> VerifiedStatusList {
        try await maker.token().verify(for: TokenMaker.uri, with: key, policy: TokenMaker.policy, at: now).get()
    }

    private func maker(_ form: StatusListToken.Form, _ pki: SignerPKI) throws -> TokenMaker {
        var maker = try TokenMaker(form, key: pki.key)
        maker.certificates = [pki.certificate.derBytes.map { $0 }]
        maker.expirationTime = 10 * SignerPKI.day
        return maker
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func trustsTheSignerThatAnAuthorityCertified(form: StatusListToken.Form) async throws {
        let pki = try await SignerPKI.make()
        let verified = try await verify(maker(form, pki), with: pki.trust)
        #expect(verified.certificateChain?.leaf == pki.certificate)
        #expect(verified.status(at: 1) == .revoked)
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func refusesSignersOfOtherAuthorities(form: StatusListToken.Form) async throws {
        let pki = try await SignerPKI.make()
        let other = try await SignerPKI.make()
        await expectRefused(.issuerNotTrusted) { try await verify(maker(form, pki), with: other.trust) }
        await expectRefused(.issuerNotTrusted) {
            try await verify(maker(form, pki), with: .certificates(anchors: [], policy: .statusListSigner))
        }
        // The certificate of another signer beside one's own signature.
        var stolen = try maker(form, pki)
        stolen.certificates = [other.certificate.derBytes.map { $0 }]
        let made = stolen
        await expectRefused("invalidSignature") { try await verify(made, with: other.trust) }
    }

    /// A certificate of the right authority with another purpose, or without one.
    @Test(arguments: StatusListToken.Form.allCases)
    func refusesCertificatesThatAreNotForLists(form: StatusListToken.Form) async throws {
        let pki = try await SignerPKI.make()
        let number = try #require(OID("1.3.6.1.4.1.55555.1"))
        let others: [OID] = [
            .mdlDocumentSigner, .mdlReaderAuthentication, .mdlVICALSigner, .serverAuthentication, .anyExtendedKeyUsage,
        ]
        let anchors = [pki.authority.certificate]
        for purposes in others.map({ [$0] }) + [[], [number], [number, .serverAuthentication]] {
            var maker = try maker(form, pki)
            maker.certificates = [try await pki.certificate(purposes: purposes).derBytes.map { $0 }]
            let made = maker
            let byProfile = StatusListKey.certificates(anchors: anchors, policy: .statusListSigner)
            let byNumber = StatusListKey.certificates(
                anchors: anchors,
                policy: .statusListTokenSigner(purposes: [number])
            )
            for (key, isTaken) in [(byProfile, purposes.isEmpty), (byNumber, purposes.contains(number))] {
                if isTaken {
                    #expect(try await verify(made, with: key).certificateChain != nil)
                } else {
                    await expectRefused(.issuerNotTrusted) { try await verify(made, with: key) }
                }
            }
        }
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func refusesATokenWithoutAChain(form: StatusListToken.Form) async throws {
        let pki = try await SignerPKI.make()
        var bare = try maker(form, pki)
        bare.certificates = []
        let made = bare
        await expectRefused(.issuerNotTrusted) { try await verify(made, with: pki.trust) }
        var broken = try maker(form, pki)
        broken.certificates = [[0x30, 0x00]]
        let damaged = broken
        await expectRefused(.issuerNotTrusted) { try await verify(damaged, with: pki.trust) }
    }

    @Test func aSingleCertificateInAnArrayNeedsATolerance() async throws {
        let pki = try await SignerPKI.make()
        let maker = try maker(.cwt, pki)
        var protected = maker.coseHeaders().protected
        protected[.x5chain] = [.bytes(Array(pki.certificate.derBytes))]
        let headers = COSEHeaders(protected: protected)
        let token = StatusListToken(try await COSESign1.sign(maker.cwtPayload(), headers: headers, with: maker.signer))
        var policy = TokenMaker.policy
        let strict = token.verify(for: TokenMaker.uri, with: pki.trust, policy: policy, at: TokenMaker.now)
        #expect(strict.refusal?.check == .signature)
        #expect(strict.refusal?.path.last == "x5chain")
        policy.tolerances = .deployed
        let tolerant = token.verify(for: TokenMaker.uri, with: pki.trust, policy: policy, at: TokenMaker.now)
        #expect(tolerant.verified != nil)
        #expect(tolerant.deviations == [Deviation("arrayOfOneCertificate", at: ["x5chain"])])
    }

    @Test func takesTheChainFromEitherBucket() async throws {
        let pki = try await SignerPKI.make()
        let maker = try maker(.cwt, pki)
        var protected = maker.coseHeaders().protected
        let chain = protected[.x5chain]
        protected[.x5chain] = nil
        var unprotected: COSEHeaderMap = [:]
        unprotected[.x5chain] = chain
        let headers = COSEHeaders(protected: protected, unprotected: unprotected)
        let token = StatusListToken(try await COSESign1.sign(maker.cwtPayload(), headers: headers, with: maker.signer))
        _ = try token.verify(for: TokenMaker.uri, with: pki.trust, policy: TokenMaker.policy, at: TokenMaker.now).get()
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func aKeptListEndsWithItsSignersCertificate(form: StatusListToken.Form) async throws {
        let pki = try await SignerPKI.make()
        let verified = try await verify(maker(form, pki), with: pki.trust)
        let reference = try StatusReference(index: 1, uri: TokenMaker.uri)
        let late = TokenMaker.now.addingTimeInterval(2 * SignerPKI.day)
        #expect(
            verified.status(for: reference, policy: TokenMaker.policy, at: late).status.reason == "issuerNotTrusted"
        )
        await expectRefused(.issuerNotTrusted) { try await verify(maker(form, pki), with: pki.trust, at: late) }
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func listsOfMdocsMustExpire(form: StatusListToken.Form) async throws {
        let pki = try await SignerPKI.make()
        var maker = try maker(form, pki)
        func verification() async throws -> Verification<VerifiedStatusList> {
            try await maker.token().verify(for: TokenMaker.uri, with: pki.trust, policy: .mdoc, at: TokenMaker.now)
        }
        #expect(try await verification().verified != nil)
        maker.expirationTime = nil
        #expect(try await verification().refusal?.reason == .missingClaim)
    }

    /// A certificate for another purpose, where the policy tolerates that.
    @Test(arguments: StatusListToken.Form.allCases)
    func deviationsOfTheSignersCertificateAreReported(form: StatusListToken.Form) async throws {
        let pki = try await SignerPKI.make()
        var maker = try maker(form, pki)
        maker.certificates = [Array(try await pki.certificate(purposes: [.serverAuthentication]).derBytes)]
        var policy = CertificatePathPolicy.statusListSigner
        policy.toleratedDeviations.insert(.extendedKeyUsage)
        let trust = StatusListKey.certificates(anchors: [pki.authority.certificate], policy: policy)
        let verification = try await maker.token()
            .verify(for: TokenMaker.uri, with: trust, policy: TokenMaker.policy, at: TokenMaker.now)
        let deviation = try #require(verification.deviations.first)
        #expect(verification.deviations.count == 1)
        #expect(deviation.tolerance == "extendedKeyUsage")
        #expect(deviation.path == [form == .jwt ? "x5c" : "x5chain"])
        let list = try verification.get()
        #expect(list.deviations == verification.deviations)
        #expect(list.verify(policy: TokenMaker.policy, at: TokenMaker.now).deviations == verification.deviations)
        let reference = try StatusReference(index: 1, uri: TokenMaker.uri)
        let finding = list.status(for: reference, policy: TokenMaker.policy, at: TokenMaker.now)
        #expect(finding == StatusFinding(.revoked, deviations: verification.deviations))
    }
}
