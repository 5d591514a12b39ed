import CryptoCore
import Testing

/// Certificates as PEM text.
@Suite
struct CertificatePEMTests {
    @Test
    func roundTrip() throws {
        let certificate = try Certificate(der: AnnexD.iaca)
        #expect(certificate.pem.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(try Certificate(pem: certificate.pem) == certificate)
    }

    @Test
    func severalInOrderAndNothingElse() throws {
        let certificates = [try Certificate(der: AnnexD.iaca), try Certificate(der: AnnexD.documentSigner)]
        let key = PEM(label: "PUBLIC KEY", bytes: [1]).text
        let text = certificates[0].pem + "between\n" + key + certificates[1].pem
        #expect(try Certificate.all(inPEM: text) == certificates)
        expect(.invalidPEM) { _ = try Certificate(pem: text) }
        expect(.invalidPEM) { _ = try Certificate(pem: key) }
    }

    @Test
    func equalityIsThatOfTheBytes() throws {
        let one = try Certificate(der: AnnexD.iaca)
        let same = try Certificate(der: AnnexD.iaca)
        let other = try Certificate(der: AnnexD.documentSigner)
        #expect(one == same)
        #expect(one != other)
        #expect(Set([one, same, other]).count == 2)
        #expect(one.fingerprint == HashAlgorithm.sha256.digest(of: AnnexD.iaca))
    }
}
