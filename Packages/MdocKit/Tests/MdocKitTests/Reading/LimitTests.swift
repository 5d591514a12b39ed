import CBORKit
import COSEKit
import CryptoCore
import MdocKit
import Testing

/// Every limit at its bound and one past it.
@Suite struct LimitTests {
    private func read(_ limits: MdocLimits, _ read: (MdocReadingOptions) throws -> Void) -> MdocError.Code? {
        do {
            try read(MdocReadingOptions(limits: limits))
            return nil
        } catch {
            return (error as? MdocError)?.code
        }
    }

    @Test(arguments: [(0, nil), (-1, .limitExceeded)] as [(Int, MdocError.Code?)])
    func messageSize(_ shift: Int, code: MdocError.Code?) throws {
        let bytes = try AnnexD.figure("device-response")
        var limits = MdocLimits()
        limits.messageSize = bytes.count + shift
        #expect(read(limits) { _ = try DeviceResponse(decoding: bytes, options: $0) } == code)
    }

    @Test(arguments: [(32, nil), (33, .limitExceeded)] as [(Int, MdocError.Code?)])
    func nestingDepth(_ depth: Int, code: MdocError.Code?) throws {
        let value = (2..<depth).reduce(CBOR.array([0])) { value, _ in .array([value]) }
        let message: CBOR = ["version": "1.0", "status": 0, "extra": value]
        #expect(read(MdocLimits()) { _ = try DeviceResponse(decoding: message.encoded(), options: $0) } == code)
    }

    @Test(arguments: [(64, nil), (65, .limitExceeded)] as [(Int, MdocError.Code?)])
    func documents(_ count: Int, code: MdocError.Code?) throws {
        let documents = CBOR.array([CBOR](repeating: [:], count: count))
        let response: CBOR = ["version": "1.0", "status": 0, "documents": documents]
        #expect(read(MdocLimits()) { _ = try DeviceResponse(decoding: response.encoded(), options: $0) } == code)
        let items: CBOR = ["docType": "d", "nameSpaces": ["n": ["e": false]]]
        let docRequest: CBOR = ["itemsRequest": .tagged(24, .bytes(items.encoded()))]
        let request: CBOR = ["version": "1.0", "docRequests": .array([CBOR](repeating: docRequest, count: count))]
        #expect(read(MdocLimits()) { _ = try DeviceRequest(decoding: request.encoded(), options: $0) } == code)
        let errors: CBOR = [
            "version": "1.0", "status": 0, "documentErrors": .array([CBOR](repeating: ["d": 0], count: count)),
        ]
        #expect(read(MdocLimits()) { _ = try DeviceResponse(decoding: errors.encoded(), options: $0) } == code)
    }

    @Test(arguments: [(1024, nil), (1025, .limitExceeded)] as [(Int, MdocError.Code?)])
    func elementsOfARequest(_ count: Int, code: MdocError.Code?) throws {
        let elements = CBORMap((0..<count).map { CBORMap.Pair(key: .text("e\($0)"), value: false) })
        let items: CBOR = ["docType": "d", "nameSpaces": ["n": .map(elements)]]
        let docRequest: CBOR = ["itemsRequest": .tagged(24, .bytes(items.encoded()))]
        let request: CBOR = ["version": "1.0", "docRequests": [docRequest]]
        #expect(read(MdocLimits()) { _ = try DeviceRequest(decoding: request.encoded(), options: $0) } == code)
    }

    @Test(arguments: [(0, nil), (-1, .limitExceeded)] as [(Int, MdocError.Code?)])
    func elementsOfACredential(_ shift: Int, code: MdocError.Code?) async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        builder.decoys = ["org.iso.18013.5.1.UT": 6]
        let licence = try await utopia.issue(builder)
        #expect(licence.nameSpaces.map(\.items.count) == [6, 1])
        var limits = MdocLimits()
        limits.elements = 7 + shift
        #expect(read(limits) { _ = try IssuerSigned(decoding: [UInt8](licence.encodedBytes), options: $0) } == code)
    }

    @Test(arguments: [(13, nil), (12, .limitExceeded)] as [(Int, MdocError.Code?)])
    func digestsOfANamespace(_ limit: Int, code: MdocError.Code?) throws {
        let issuerAuth = try CBOR(decoding: AnnexD.figure("issuer-auth"))
        let credential: CBOR = ["issuerAuth": issuerAuth]
        var limits = MdocLimits()
        limits.elements = limit
        #expect(read(limits) { _ = try IssuerSigned(decoding: credential.encoded(), options: $0) } == code)
    }

    @Test(arguments: [(8, nil), (9, .limitExceeded)] as [(Int, MdocError.Code?)])
    func certificates(_ count: Int, code: MdocError.Code?) throws {
        var issuerAuth = try CBOR(decoding: AnnexD.figure("issuer-auth"))
        issuerAuth.change(1) { $0.set(33, .array([CBOR](repeating: .bytes([0]), count: count))) }
        let credential: CBOR = ["issuerAuth": issuerAuth]
        #expect(read(MdocLimits()) { _ = try IssuerSigned(decoding: credential.encoded(), options: $0) } == code)
    }

    @Test(arguments: [(16384, nil), (16385, .limitExceeded)] as [(Int, MdocError.Code?)])
    func certificateSize(_ size: Int, code: MdocError.Code?) throws {
        var issuerAuth = try CBOR(decoding: AnnexD.figure("issuer-auth"))
        issuerAuth.change(1) { $0.set(33, .bytes([UInt8](repeating: 0, count: size))) }
        let credential: CBOR = ["issuerAuth": issuerAuth]
        #expect(read(MdocLimits()) { _ = try IssuerSigned(decoding: credential.encoded(), options: $0) } == code)
    }
}
