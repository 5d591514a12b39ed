import CBORKit
import CryptoCore
import Foundation
import MdocKit
import MdocProximity
import Testing

@Suite struct DeviceEngagementTests {
    private let uuid = UUID(uuidString: "45EFEF74-2B2C-4837-A9A3-B0E1D05A6917")

    private func engagement(
        _ methods: [DeviceRetrievalMethod] = [],
        origins: [OriginInfo]? = nil,
        capabilities: EngagementCapabilities? = nil
    ) throws -> DeviceEngagement {
        try DeviceEngagement(
            eDeviceKey: PrivateKey.generate(.p256).publicKey,
            retrievalMethods: methods,
            originInfos: origins,
            capabilities: capabilities
        )
    }

    @Test func everyRetrievalMethod() throws {
        let nfc = try #require(NFCOptions(maximumCommandData: 255, maximumResponseData: 65536))
        let sets: [[DeviceRetrievalMethod]] = [
            [
                .nfc(nfc),
                .ble(
                    BLEOptions(
                        peripheralServerUUID: uuid,
                        centralClientUUID: uuid,
                        address: [1, 2, 3, 4, 5, 6],
                        l2capPSM: 192
                    )
                ),
                .wifiAware(
                    WiFiAwareOptions(passPhrase: "p", operatingClass: 81, channelNumber: 6, supportedBands: [20])
                ),
                .website(uri: "https://reader.example"),
                .other(type: 99, version: 7, options: ["a": 1]),
                .other(type: 98, version: 1, options: nil),
                .other(type: 2, version: 2, options: [:]),
            ],
            [
                .ble(BLEOptions(peripheralServerUUID: uuid, centralClientUUID: nil, address: [1, 2, 3, 4, 5, 6, 1])),
                .wifiAware(WiFiAwareOptions(supportedBands: [])),
            ],
            [.wifiAware(WiFiAwareOptions(supportedBands: nil)), .website(uri: "https://reader.example")],
            [.ble(BLEOptions(peripheralServerUUID: nil, centralClientUUID: uuid))],
        ]
        for methods in sets {
            let built = try engagement(methods)
            let read = try DeviceEngagement(decoding: [UInt8](built.encodedBytes), options: .strict)
            #expect(read.retrievalMethods == methods)
            #expect(read.version == .v1_0)
            #expect(read.originInfos == nil)
        }
    }

    @Test func methodsGivenTwice() throws {
        let nfc = DeviceRetrievalMethod.nfc(try #require(NFCOptions(maximumCommandData: 255, maximumResponseData: 256)))
        let error = #expect(throws: MdocError.self) { try engagement([nfc, nfc]) }
        #expect(error?.code == .invalidValue)
        let method: CBOR = [1, 1, [0: 255, 1: 256]]
        try expectTolerated(.repeatedRetrievalMethod, MemberChange(2, .array([method, method]), .deviation))
    }

    /// Expects that a change of the QR engagement is reported as one deviation, and refused where nothing is
    /// tolerated.
    private func expectTolerated(_ tolerance: MdocTolerance, _ changes: MemberChange...) throws {
        var bytes = try AnnexD.figure("device-engagement-qr")
        for change in changes { bytes = try change.applied(to: bytes) }
        #expect(try DeviceEngagement(decoding: bytes, options: .deployed).deviations.map(\.tolerance) == [tolerance])
        let error = #expect(throws: MdocError.self) { try DeviceEngagement(decoding: bytes) }
        #expect(error?.code == .deviation)
        #expect(error?.message == "not tolerated: \(tolerance)")
    }

    @Test func versionsThatDoNotGoWithTheMembers() throws {
        try expectTolerated(.engagementVersion, MemberChange(0, "1.1", .deviation))
        try expectTolerated(.engagementVersion, MemberChange(5, [], .deviation))
        try expectTolerated(
            .capabilitiesWithoutOrigins,
            MemberChange(0, "1.1", .deviation),
            MemberChange(6, [2: true], .deviation)
        )
        // A later minor version may bring anything.
        for version in ["1.2", "1.10"] {
            let bytes = try MemberChange(0, .text(version), .deviation).applied(
                to: AnnexD.figure("device-engagement-qr")
            )
            #expect(try DeviceEngagement(decoding: bytes, options: .strict).version.minor >= 2)
        }
    }

    @Test func everyCapability() throws {
        var capabilities = EngagementCapabilities()
        capabilities.macKeysSupport = true
        capabilities.macKeysCurves = [1]
        capabilities.handoverSessionEstablishmentSupport = true
        capabilities.readerAuthAllSupport = true
        capabilities.extendedRequestSupport = false
        let built = try engagement(origins: [.website(domain: "")], capabilities: capabilities)
        let read = try DeviceEngagement(decoding: [UInt8](built.encodedBytes), options: .strict)
        #expect(read.capabilities == capabilities)
        #expect(read.originInfos == [.website(domain: "")])
    }

    @Test func originsWithDetailsOfAnotherForm() throws {
        let origins: CBOR = [
            ["cat": 1, "type": 0, "details": "x"], ["cat": 2, "type": 7, "details": ["domain": 1]],
            ["cat": 3, "type": 1], "x", [1, 2], [:], ["cat": 1], ["cat": "1", "type": 1],
        ]
        var bytes = try AnnexD.figure("device-engagement-qr")
        for change in [MemberChange(0, "1.1", .deviation), MemberChange(5, origins, .deviation)] {
            bytes = try change.applied(to: bytes)
        }
        let read = try #require(try DeviceEngagement(decoding: bytes).originInfos)
        #expect(read.map(\.type) == [0, 7, 1])
        #expect(read.allSatisfy { $0.domain == nil })
    }

    @Test func paddedURIs() throws {
        for nfc in [255, 256] {
            let options = try #require(NFCOptions(maximumCommandData: nfc, maximumResponseData: 256))
            let uri = try engagement([.nfc(options)]).uri
            let padding = String(repeating: "=", count: (4 - (uri.utf8.count - 5) % 4) % 4)
            guard !padding.isEmpty else { continue }
            #expect(try DeviceEngagement(uri: uri).deviations.isEmpty)
            let padded = try DeviceEngagement(uri: uri + padding, options: .deployed)
            #expect(padded.deviations.map(\.tolerance) == [.paddedURI])
            let error = #expect(throws: MdocError.self) { try DeviceEngagement(uri: uri + padding) }
            #expect(error?.code == .deviation)
            #expect(error?.message == "not tolerated: paddedURI")
            let more = #expect(throws: MdocError.self) {
                try DeviceEngagement(uri: uri + padding + "=", options: .deployed)
            }
            #expect(more?.code == .malformedURI)
        }
    }

    @Test func aQRCodeWithoutRetrievalMethods() throws {
        let uri = try engagement().uri
        let read = try DeviceEngagement(uri: uri, options: .deployed)
        #expect(read.deviations.map(\.tolerance) == [.missingRetrievalMethods])
        let error = #expect(throws: MdocError.self) { try DeviceEngagement(uri: uri) }
        #expect(error?.code == .deviation)
        #expect(error?.message == "not tolerated: missingRetrievalMethods")
    }

    @Test func capabilitiesBringOriginsAndTheVersion() throws {
        var capabilities = EngagementCapabilities()
        capabilities.macKeysSupport = true
        capabilities.macKeysCurves = [1, 4]
        let read = try DeviceEngagement(decoding: engagement(capabilities: capabilities).taggedBytes)
        #expect(read.version == .v1_1)
        #expect(read.originInfos == [])
        #expect(read.capabilities == capabilities)
        #expect(read.capabilities?.extendedRequestSupport == nil)
        let origins = try engagement(origins: [.website(domain: "reader.example")])
        #expect(try DeviceEngagement(decoding: origins.taggedBytes).originInfos == [.website(domain: "reader.example")])
    }

    /// 9.1: the value of these is true where they are present.
    @Test func writesNoCapabilityThatIsFalse() throws {
        var capabilities = EngagementCapabilities()
        capabilities.macKeysSupport = false
        capabilities.handoverSessionEstablishmentSupport = false
        capabilities.readerAuthAllSupport = false
        capabilities.extendedRequestSupport = false
        let built = try engagement(capabilities: capabilities)
        let members = try CBOR(decoding: [UInt8](built.encodedBytes))[6]
        #expect(members == [0: false, 4: false])
        #expect(built.capabilities?.readerAuthAllSupport == nil)
        #expect(try DeviceEngagement(decoding: built.taggedBytes).capabilities == built.capabilities)
    }

    /// A wallet in the field may write them.
    @Test func readsCapabilitiesThatAreFalse() throws {
        let built = try engagement(capabilities: EngagementCapabilities())
        var message = try CBOR(decoding: [UInt8](built.encodedBytes))
        message.set(6, [1: [1], 2: false, 3: false])
        let read = try DeviceEngagement(decoding: message.encoded())
        #expect(read.capabilities?.macKeysCurves == [1])
        #expect(read.capabilities?.handoverSessionEstablishmentSupport == false)
        #expect(read.capabilities?.readerAuthAllSupport == false)
    }

    @Test(arguments: [(nil, [1]), (false, [1]), (true, [])] as [(Bool?, [Int64])])
    func refusesCurvesWithoutSupportOfMACKeys(_ support: Bool?, _ curves: [Int64]) throws {
        var capabilities = EngagementCapabilities()
        capabilities.macKeysSupport = support
        capabilities.macKeysCurves = curves
        let error = #expect(throws: MdocError.self) { try engagement(capabilities: capabilities) }
        #expect(error?.code == .invalidValue)
    }

    @Test func keepsUnknownMembers() throws {
        var value = try CBOR(decoding: AnnexD.figure("device-engagement-qr"))
        value.set(77, "unknown")
        value.set(3, [1, 2])
        let bytes = value.encoded()
        let read = try DeviceEngagement(decoding: bytes)
        #expect([UInt8](read.encodedBytes) == bytes)
        #expect(read.taggedBytes == CBOR.tagged(24, .bytes(bytes)).encoded())
        #expect(try DeviceEngagement(uri: read.uri).encodedBytes == read.encodedBytes)
    }

    @Test(arguments: ["mdoc:", "mdoc://", "MDOC:"])
    func formsOfTheURI(_ prefix: String) throws {
        let uri = try DeviceEngagement(decoding: AnnexD.figure("device-engagement-qr")).uri
        let read = try DeviceEngagement(uri: prefix + uri.dropFirst(5))
        #expect(read.uri == uri)
    }

    @Test(arguments: ["", "mdoc", "http:owBj", "mdoc:owB*", "mdoc:o", "mdoc:oz", "mdoc:owBj="])
    func textsThatAreNoURI(_ text: String) {
        let error = #expect(throws: MdocError.self) { try DeviceEngagement(uri: text) }
        #expect(error?.code == .malformedURI)
    }

    @Test func keyThatCannotAgree() {
        let error = #expect(throws: MdocError.self) {
            try DeviceEngagement(eDeviceKey: PrivateKey.generate(.ed25519).publicKey, retrievalMethods: [])
        }
        #expect(error?.code == .unsupportedKey)
    }

    @Test func lengthsOutOfRange() {
        #expect(NFCOptions(maximumCommandData: 254, maximumResponseData: 256) == nil)
        #expect(NFCOptions(maximumCommandData: 65536, maximumResponseData: 256) == nil)
        #expect(NFCOptions(maximumCommandData: 255, maximumResponseData: 255) == nil)
        #expect(NFCOptions(maximumCommandData: 255, maximumResponseData: 65537) == nil)
    }

    private static let uuidBytes = CBOR.bytes([UInt8](repeating: 7, count: 16))

    private static let faults: [MemberChange] = [
        MemberChange(0, "2.0", .unsupportedVersion),
        MemberChange(0, "1", .invalidValue),
        MemberChange(0, 1, .unexpectedType),
        MemberChange(0, nil, .missingMember),
        MemberChange(1, nil, .missingMember),
        MemberChange(1, [], .invalidValue),
        MemberChange(1, [2, .tagged(24, .bytes([0xa0]))], .invalidValue),
        MemberChange(1, [1, .bytes([0xa0])], .unexpectedType),
        MemberChange(1, [1, .tagged(24, .bytes([0xa0]))], .malformedCOSE),
        MemberChange(2, [], .deviation),
        MemberChange(2, [[1]], .invalidValue),
        MemberChange(2, [[1, 1, [0: 254, 1: 256]]], .invalidValue),
        MemberChange(2, [[2, 1, [0: false]]], .missingMember),
        MemberChange(2, [[2, 1, [0: true, 1: false, 10: .bytes([1])]]], .invalidValue),
        MemberChange(2, [[2, 1, [0: true, 1: false, 21: -1]]], .invalidValue),
        MemberChange(2, [[4, 1, [0: 5]]], .unexpectedType),
        MemberChange(2, [[1, 1, [0: 65536, 1: 256]]], .invalidValue),
        MemberChange(2, [[1, 1, [0: 255, 1: 255]]], .invalidValue),
        MemberChange(2, [[1, 1, [0: 255, 1: 65537]]], .invalidValue),
        MemberChange(2, [[2, 1, [0: false, 1: false]]], .invalidValue),
        MemberChange(2, [[2, 1, [0: true, 1: false]]], .invalidValue),
        MemberChange(2, [[2, 1, [0: false, 1: true]]], .invalidValue),
        MemberChange(2, [[2, 1, [0: false, 1: true, 10: uuidBytes, 11: uuidBytes]]], .deviation),
        MemberChange(2, [[2, 1, [0: true, 1: false, 10: uuidBytes, 11: uuidBytes]]], .deviation),
        MemberChange(2, [[2, 1, [0: false, 1: true, 11: uuidBytes, 20: .bytes([1, 2, 3, 4, 5, 6])]]], .deviation),
        MemberChange(2, [[2, 1, [0: false, 1: true, 11: uuidBytes, 21: 192]]], .deviation),
        MemberChange(2, [[2, 1, [0: true, 1: false, 10: uuidBytes, 20: .bytes([1, 2, 3, 4, 5])]]], .invalidValue),
        MemberChange(
            2,
            [[2, 1, [0: true, 1: false, 10: uuidBytes, 20: .bytes([1, 2, 3, 4, 5, 6, 7, 8])]]],
            .invalidValue
        ),
        MemberChange(6, [1: []], .invalidValue),
        MemberChange(5, "x", .unexpectedType),
        MemberChange(5, [["cat": 1, "type": 1, "details": "x"]], .unexpectedType),
        MemberChange(6, [0: 1], .unexpectedType),
    ]

    @Test(arguments: faults)
    func refusesMalformedEngagements(_ fault: MemberChange) throws {
        let bytes = try fault.applied(to: AnnexD.figure("device-engagement-qr"))
        let error = #expect(throws: MdocError.self) { try DeviceEngagement(decoding: bytes) }
        #expect(error?.code == fault.code, "\(String(describing: error))")
    }
}
