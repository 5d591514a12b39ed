import CBORKit
import COSEKit
import CryptoCore
import TestSupport
import Testing

@Suite struct X509HeadersTests {
    private func headers(_ unprotected: String) throws -> COSEHeaders {
        try COSESign1(decoding: bytes("8440 \(unprotected) 4040")).headers
    }

    @Test func aChainIsOneCertificateOrSeveral() throws {
        #expect(try headers("a1182142aabb").x5chain() == [[0xaa, 0xbb]])
        #expect(try headers("a118218241aa41bb").x5chain() == [[0xaa], [0xbb]])
        #expect(try headers("a118208241aa41bb").x5bag() == [[0xaa], [0xbb]])
        #expect(try headers("a1381c8241aa41bb").x5chainSender() == [[0xaa], [0xbb]])
        #expect(try headers("a0").x5chain().isEmpty)
    }

    @Test func anArrayOfOneCertificateIsToleratedByNameOnly() throws {
        expectRefusal(.invalidHeader, at: "x5chain") { try headers("a118218141aa").x5chain() }
        #expect(try headers("a118218141aa").x5chain(allowingArrayOfOne: true) == [[0xaa]])
        expectRefusal(.invalidHeader, at: "x5chain") { try headers("a1182180").x5chain(allowingArrayOfOne: true) }
    }

    @Test func otherShapesAreRefused() throws {
        expectRefusal(.invalidHeader, at: "x5chain") { try headers("a1182100").x5chain() }
        expectRefusal(.invalidHeader, at: "x5chain") { try headers("a118218241aa00").x5chain() }
        expectRefusal(.invalidHeader, at: "x5bag") { try headers("a118206161").x5bag() }
    }

    @Test func theNumberOfCertificatesIsLimited() throws {
        #expect(try headers("a118218241aa41bb").x5chain(maximumCount: 2).count == 2)
        expectRefusal(.limitExceeded, at: "x5chain") { try headers("a118218241aa41bb").x5chain(maximumCount: 1) }
    }

    @Test func bucketsAreWrittenInTheFormThatIsRead() throws {
        for certificates: [[UInt8]] in [[[1, 2]], [[1], [2]]] {
            let headers = COSEHeaders(protected: [.x5chain: COSEHeaderMap.certificates(certificates)])
            #expect(try headers.x5chain().map { Array($0) } == certificates)
        }
    }

    @Test(arguments: [
        (-14, HashAlgorithm.sha1, 20), (-15, .sha256, 8), (-16, .sha256, 32), (-43, .sha384, 48), (-44, .sha512, 64),
    ])
    func aHashMatchesItsCertificate(identifier: Int, hash: HashAlgorithm, length: Int) throws {
        let certificate: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x05]
        let digest = Array(hash.digest(of: certificate).prefix(length))
        let value: CBOR = .array([.integer(identifier), .bytes(digest)])
        let found = try #require(try COSEHeaders(unprotected: [.x5t: value]).x5t())
        #expect(try found.matches(certificate))
        #expect(try !found.matches(certificate + [0]))

        let short: CBOR = .array([.integer(identifier), .bytes(Array(digest.dropLast()))])
        #expect(try COSEHeaders(unprotected: [.x5t: short]).x5t()?.matches(certificate) == false)
    }

    @Test func anotherCertificatesHashIsRefused() throws {
        let certificate: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x05]
        let hash = COSECertificateHash(sha256Of: certificate).cbor
        try COSEHeaders(protected: [.x5t: hash]).requireX5T(of: certificate)
        try COSEHeaders().requireX5T(of: certificate)
        expectRefusal(.certificateMismatch, at: "x5t") {
            try COSEHeaders(unprotected: [.x5t: hash]).requireX5T(of: certificate + [0])
        }
        expectRefusal(.unsupportedHash, at: "x5t") {
            try COSEHeaders(protected: [.x5t: [-999, .bytes([1])]]).requireX5T(of: certificate)
        }
        expectRefusal(.invalidHeader, at: "x5t") {
            try COSEHeaders(protected: [.x5t: [1]]).requireX5T(of: certificate)
        }
    }

    @Test func aHashIsMadeFromACertificate() throws {
        let hash = COSECertificateHash(sha256Of: [UInt8]([1, 2, 3]))
        let headers = COSEHeaders(unprotected: [.x5t: hash.cbor, .x5tSender: hash.cbor])
        #expect(try headers.x5t()?.matches([UInt8]([1, 2, 3])) == true)
        #expect(try headers.x5tSender()?.value == hash.value)
    }

    @Test func unknownHashesAndOtherShapesAreRefused() throws {
        expectRefusal(.unsupportedHash, at: "x5t") {
            try headers("a1182282314100").x5t()?.matches([UInt8]([0])) as Any
        }
        expectRefusal(.unsupportedHash, at: "x5t") {
            try headers("a11822826353484140").x5t()?.matches([UInt8]([0])) as Any
        }
        expectRefusal(.invalidHeader, at: "x5t") { try headers("a11822812f").x5t() }
        expectRefusal(.malformed, at: "x5t") { try headers("a1182240").x5t() }
        expectRefusal(.malformed, at: "x5t") { try headers("a11822822f00").x5t() }
    }

    @Test func aURIIsReadAndNothingIsFetched() throws {
        #expect(try headers("a11823d82063612f62").x5u() == "a/b")
        #expect(try headers("a1381bd82063612f62").x5uSender() == "a/b")
        #expect(try headers("a0").x5u() == nil)
        expectRefusal(.invalidHeader, at: "x5u") { try headers("a1182363612f62").x5u() }
    }
}
