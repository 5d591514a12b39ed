import CBORKit
import COSEKit
import CryptoCore
import MdocKit
import Testing

/// Every limit at its bound and one past it.
@Suite struct LimitTests {
    private func read(
        _ limits: MdocLimits,
        _ tolerances: Set<MdocTolerance> = [],
        _ read: (MdocReadingOptions) throws -> Void
    ) -> MdocError.Code? {
        do {
            try read(MdocReadingOptions(tolerances: tolerances, limits: limits))
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

    /// Seven items besides the pairs, of which each counts twice.
    @Test(arguments: [(0, nil), (-1, .limitExceeded)] as [(Int, MdocError.Code?)])
    func items(_ shift: Int, code: MdocError.Code?) throws {
        var pairs = (0..<1000).map { CBORMap.Pair(key: .integer($0), value: 0) }
        pairs += [("version", "1.0"), ("status", 0), ("extra", .array([]))].map { CBORMap.Pair(key: $0, value: $1) }
        let message = CBOR.map(CBORMap(pairs)).encoded()
        var limits = MdocLimits()
        #expect(limits.items == 1_048_576)
        limits.items = 2007 + shift
        #expect(read(limits) { _ = try DeviceResponse(decoding: message, options: $0) } == code)
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

    /// The example has 13 digests in one namespace and 4 in another.
    @Test(arguments: [(0, nil), (-1, .limitExceeded)] as [(Int, MdocError.Code?)])
    func digestsInAllNamespaces(_ shift: Int, code: MdocError.Code?) throws {
        let issuerAuth = try CBOR(decoding: AnnexD.figure("issuer-auth"))
        let credential: CBOR = ["issuerAuth": issuerAuth]
        let digests = try IssuerSigned(decoding: credential.encoded()).mobileSecurityObject.valueDigests
        var limits = MdocLimits()
        limits.digests = digests.nameSpaces.reduce(shift) { $0 + digests[$1].count }
        #expect(digests.nameSpaces.count > 1)
        #expect(read(limits) { _ = try IssuerSigned(decoding: credential.encoded(), options: $0) } == code)
    }

    /// Of a mobile security object, of a device key's authorizations, of items, of device-signed elements, of errors,
    /// of a request.
    @Test(arguments: [(64, nil), (65, .limitExceeded)] as [(Int, MdocError.Code?)])
    func nameSpaces(_ count: Int, code: MdocError.Code?) async throws {
        func nameSpaces(_ value: CBOR) -> CBOR {
            .map(CBORMap((0..<count).map { CBORMap.Pair(key: .text("n\($0)"), value: value) }))
        }
        let utopia = try await Utopia()
        let objects: [(String, CBOR)] = [
            ("valueDigests", nameSpaces([0: .bytes([])])),
            ("keyAuthorizations", ["dataElements": nameSpaces(["a"])]),
            ("keyAuthorizations", ["nameSpaces": .array((0..<count).map { .text("n\($0)") })]),
        ]
        for (member, value) in objects {
            let read = try? await utopia.licence { object in
                if member == "valueDigests" {
                    object.set("valueDigests", value)
                } else {
                    object.change("deviceKeyInfo") { $0.set("keyAuthorizations", value) }
                }
            }
            #expect((read == nil) == (code != nil), "\(member)")
        }
        let item: CBOR = [
            "digestID": 0, "random": .bytes([]), "elementIdentifier": "e", "elementValue": 0,
        ]
        var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        credential.set("nameSpaces", nameSpaces([.tagged(24, .bytes(item.encoded()))]))
        #expect(read(MdocLimits()) { _ = try IssuerSigned(decoding: credential.encoded(), options: $0) } == code)
        for member in ["errors", "deviceSigned"] {
            let response = try await utopia.presentation { document in
                if member == "errors" {
                    document.set("errors", nameSpaces(["e": 0]))
                } else {
                    let content = CBOR.tagged(24, .bytes(nameSpaces(["e": 0]).encoded()))
                    document.change("deviceSigned") { $0.set("nameSpaces", content) }
                }
            }
            #expect(response.unreadableDocuments.map(\.error.code) == (code.map { [$0] } ?? []), "\(member)")
        }
        let items: CBOR = ["docType": "d", "nameSpaces": nameSpaces(["e": false])]
        let request: CBOR = ["version": "1.0", "docRequests": [["itemsRequest": .tagged(24, .bytes(items.encoded()))]]]
        #expect(read(MdocLimits()) { _ = try DeviceRequest(decoding: request.encoded(), options: $0) } == code)
    }

    @Test(arguments: [(1024, nil), (1025, .limitExceeded)] as [(Int, MdocError.Code?)])
    func authorizedElements(_ count: Int, code: MdocError.Code?) async throws {
        let utopia = try await Utopia()
        let half = CBOR.array((0..<count / 2).map { .text("e\($0)") })
        let rest = CBOR.array((0..<count - count / 2).map { .text("e\($0)") })
        do {
            _ = try await utopia.licence { object in
                object.change("deviceKeyInfo") {
                    $0.set("keyAuthorizations", ["dataElements": ["a": half, "b": rest]])
                }
            }
            #expect(code == nil)
        } catch {
            #expect((error as? MdocError)?.code == code)
        }
    }

    /// Empty maps count too.
    @Test(arguments: [(64, nil), (65, .limitExceeded)] as [(Int, MdocError.Code?)])
    func documentErrors(_ count: Int, code: MdocError.Code?) throws {
        let many = CBORMap((0..<count).map { CBORMap.Pair(key: .text("d\($0)"), value: 0) })
        for errors in [CBOR.array([CBOR](repeating: [:], count: count)), [.map(many)]] {
            let response: CBOR = ["version": "1.0", "status": 0, "documentErrors": errors]
            #expect(read(MdocLimits()) { _ = try DeviceResponse(decoding: response.encoded(), options: $0) } == code)
        }
    }

    @Test(arguments: [(3, nil), (2, .limitExceeded)] as [(Int, MdocError.Code?)])
    func deviatingItems(_ limit: Int, code: MdocError.Code?) async throws {
        let utopia = try await Utopia()
        var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        try credential.change("nameSpaces") { nameSpaces in
            try nameSpaces.change("org.iso.18013.5.1") { items in
                for index in 0..<3 {
                    try items.change(index) { item in
                        guard case .tagged(24, .bytes(let bytes)) = item else { return }
                        try #require(bytes[0] == 0xa4)
                        item = .tagged(24, .bytes([0xbf] + bytes.dropFirst() + [0xff]))
                    }
                }
            }
        }
        var limits = MdocLimits()
        limits.deviatingItems = limit
        let tolerated: Set<MdocTolerance> = [.indefiniteLength]
        let result = read(limits, tolerated) { _ = try IssuerSigned(decoding: credential.encoded(), options: $0) }
        #expect(result == code)
        #expect(
            read(limits) { _ = try IssuerSigned(decoding: credential.encoded(), options: $0) } == .deviation
        )
    }

    @Test(arguments: [(64, nil), (65, .limitExceeded)] as [(Int, MdocError.Code?)])
    func headerParameters(_ count: Int, code: MdocError.Code?) throws {
        var issuerAuth = try CBOR(decoding: AnnexD.figure("issuer-auth"))
        issuerAuth.change(1) { headers in
            for label in 1..<count { headers.set(.integer(1000 + label), 0) }
        }
        let credential: CBOR = ["issuerAuth": issuerAuth]
        #expect(read(MdocLimits()) { _ = try IssuerSigned(decoding: credential.encoded(), options: $0) } == code)
    }

    @Test(arguments: [(16384, nil), (16385, .limitExceeded)] as [(Int, MdocError.Code?)])
    func keySize(_ size: Int, code: MdocError.Code?) async throws {
        let utopia = try await Utopia()
        do {
            _ = try await utopia.licence { object in
                object.change("deviceKeyInfo") { info in
                    info.change("deviceKey") { key in
                        // A private member, with a label of one byte and a head of three.
                        key.set(-20, .bytes([UInt8](repeating: 0, count: size - key.encoded().count - 4)))
                    }
                }
            }
            #expect(code == nil)
        } catch {
            #expect((error as? MdocError)?.code == code)
        }
    }

    @Test(arguments: [(8, nil), (9, .limitExceeded)] as [(Int, MdocError.Code?)])
    func signaturesOverAWholeRequest(_ count: Int, code: MdocError.Code?) throws {
        let items: CBOR = ["docType": "d", "nameSpaces": ["n": ["e": false]]]
        let signature: CBOR = [.bytes([]), [:], .null, .bytes([])]
        let request: CBOR = [
            "version": "1.1", "docRequests": [["itemsRequest": .tagged(24, .bytes(items.encoded()))]],
            "readerAuthAll": .array([CBOR](repeating: signature, count: count)),
        ]
        #expect(read(MdocLimits()) { _ = try DeviceRequest(decoding: request.encoded(), options: $0) } == code)
    }

    private func request(info: CBOR) -> [UInt8] {
        let items: CBOR = ["docType": "d", "nameSpaces": ["n": ["e": false]], "requestInfo": info]
        let request: CBOR = [
            "version": "1.1", "docRequests": [["itemsRequest": .tagged(24, .bytes(items.encoded()))]],
        ]
        return request.encoded()
    }

    /// In one set, in several sets, and for several elements.
    @Test(arguments: [(1024, nil), (1025, .limitExceeded)] as [(Int, MdocError.Code?)])
    func alternativeElements(_ count: Int, code: MdocError.Code?) throws {
        let (first, second) = (count / 2, count - count / 2)
        func elements(_ count: Int) -> CBOR { .array([CBOR](repeating: ["n", "a"], count: count)) }
        func alternative(_ sets: CBOR) -> CBOR { ["requestedElement": ["n", "e"], "alternativeElementSets": sets] }
        let forms: [CBOR] = [
            [alternative([elements(count)])], [alternative([elements(first), elements(second)])],
            [alternative([elements(first)]), alternative([elements(second)])],
        ]
        for form in forms {
            let bytes = request(info: ["alternativeDataElements": form])
            #expect(read(MdocLimits()) { _ = try DeviceRequest(decoding: bytes, options: $0) } == code)
        }
    }

    @Test(arguments: [(0, nil), (-1, .limitExceeded)] as [(Int, MdocError.Code?)])
    func zkRequestSize(_ shift: Int, code: MdocError.Code?) throws {
        let zkRequest: CBOR = [
            "systemSpecs": [["zkSystemId": "s", "system": "x", "params": [:]]], "zkRequired": false,
        ]
        var limits = MdocLimits()
        limits.zkRequestSize = zkRequest.encoded().count + shift
        let bytes = request(info: ["zkRequest": zkRequest])
        #expect(read(limits) { _ = try DeviceRequest(decoding: bytes, options: $0) } == code)
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
