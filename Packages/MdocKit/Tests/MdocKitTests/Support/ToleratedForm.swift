import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocProximity
import Testing

/// A message with one deviation from the standard.
struct ToleratedForm: Sendable, CustomTestStringConvertible {
    /// The only tolerance that it needs.
    let tolerance: MdocTolerance
    /// The places of the deviation in the message.
    let places: [String]
    /// Makes the encoded message.
    let make: @Sendable (Utopia) async throws -> [UInt8]

    init(
        _ tolerance: MdocTolerance,
        at places: String...,
        make: @escaping @Sendable (Utopia) async throws -> [UInt8]
    ) {
        self.tolerance = tolerance
        self.places = places
        self.make = make
    }

    var testDescription: String { tolerance.description }

    /// The options that tolerate this form and nothing else.
    var options: MdocReadingOptions { MdocReadingOptions(tolerances: [tolerance]) }

    /// The options that tolerate everything but this form.
    var otherOptions: MdocReadingOptions {
        MdocReadingOptions(tolerances: MdocTolerance.ofMessages.subtracting([tolerance]))
    }

    /// The reports that are due, with the places in a structure around the message.
    func deviations(within path: String = "") -> [String] {
        places.map { place in
            let separator = path.isEmpty || place.isEmpty || place.hasPrefix("{") ? "" : "."
            let full = path + separator + place
            return full.isEmpty ? tolerance.description : "\(tolerance) in \(full)"
        }
    }

    /// The refusal that is due without the tolerance.
    var refusal: String { "not tolerated: \(tolerance)" }
}

extension MdocTolerance {
    /// Every tolerance but those of trust lists.
    static let ofMessages: Set<MdocTolerance> = .deployed.union([.timeZoneOffset])
}

// MARK: Credentials

extension ToleratedForm {
    private static let object = "issuerAuth[2]<<>><24><<>>"

    static let credentials: [ToleratedForm] = [
        ToleratedForm(.nonPreferredEncoding, at: "") { utopia in
            [0xb9, 0x00, 0x02] + [UInt8](try await utopia.licence().encodedBytes).dropFirst()
        },
        ToleratedForm(.indefiniteLength, at: "") { utopia in
            [0xbf] + [UInt8](try await utopia.licence().encodedBytes).dropFirst() + [0xff]
        },
        ToleratedForm(.taggedCOSE, at: "issuerAuth") { utopia in
            try await changed(utopia) { $0.change("issuerAuth") { $0 = .tagged(18, $0) } }
        },
        ToleratedForm(.arrayOfOneCertificate, at: "issuerAuth") { utopia in
            try await changed(utopia) {
                $0.change("issuerAuth") { $0.change(1) { $0.change(33 as CBOR) { $0 = .array([$0]) } } }
            }
        },
        ToleratedForm(.protectedX5chain, at: "issuerAuth") { utopia in
            try await signed(utopia, protected: [.x5chain: .certificates([utopia.documentSigner])])
        },
        ToleratedForm(.rootInX5chain, at: "issuerAuth") { utopia in
            let chain = [utopia.documentSigner, utopia.iaca.certificate]
            return try await signed(utopia, unprotected: [.x5chain: .certificates(chain)])
        },
        ToleratedForm(.fullySpecifiedAlgorithm, at: "issuerAuth") { utopia in
            try await signed(utopia, .esp256, unprotected: [.x5chain: .certificates([utopia.documentSigner])])
        },
        ToleratedForm(.emptyNameSpace, at: "nameSpaces.org.example.empty") { utopia in
            try await changed(utopia) { $0.change("nameSpaces") { $0.set("org.example.empty", .array([])) } }
        },
        ToleratedForm(.untaggedDate, at: "\(object).validityInfo.validUntil") { utopia in
            try await issued(utopia) { object in
                object.change("validityInfo") { info in
                    info.change("validUntil") { time in if case .tagged(0, let text) = time { time = text } }
                }
            }
        },
        ToleratedForm(.fractionalSeconds, at: "\(object).validityInfo.signed<0>") { utopia in
            try await issued(utopia) { object in
                object.change("validityInfo") { $0.set("signed", .tagged(0, "2026-05-27T20:26:40.5Z")) }
            }
        },
        ToleratedForm(.timeZoneOffset, at: "\(object).validityInfo.signed<0>") { utopia in
            try await issued(utopia) { object in
                object.change("validityInfo") { $0.set("signed", .tagged(0, "2026-05-27T22:26:40+02:00")) }
            }
        },
        ToleratedForm(.signedAfterValidFrom, at: "\(object).validityInfo") { utopia in
            let text = (Utopia.validity.validFrom + 1).formatted(Date.ISO8601FormatStyle())
            return try await issued(utopia) { object in
                object.change("validityInfo") { $0.set("signed", .tagged(0, .text(text))) }
            }
        },
        ToleratedForm(.nullForAbsent, at: "\(object).validityInfo.expectedUpdate") { utopia in
            try await issued(utopia) { object in object.change("validityInfo") { $0.set("expectedUpdate", .null) } }
        },
        ToleratedForm(.nullForAbsent, at: "\(object).status") { utopia in
            try await issued(utopia) { object in object.set("status", .undefined) }
        },
        ToleratedForm(
            .largeDigestID,
            at: "nameSpaces.org.iso.18013.5.1[0]<24><<>>.digestID",
            "\(object).valueDigests.org.iso.18013.5.1{key 0}"
        ) { utopia in
            let item: CBOR = [
                "digestID": 0x8000_0000, "random": .bytes([UInt8](repeating: 7, count: 32)),
                "elementIdentifier": "family_name", "elementValue": "Doe",
            ]
            let bytes = CBOR.tagged(24, .bytes(item.encoded()))
            let digest = HashAlgorithm.sha256.digest(of: bytes.encoded())
            let forged = try await issued(utopia) { object in
                object.set("valueDigests", ["org.iso.18013.5.1": .map([0x8000_0000: .bytes(digest)])])
            }
            var credential = try CBOR(decoding: forged)
            credential.set("nameSpaces", ["org.iso.18013.5.1": [bytes]])
            return credential.encoded()
        },
        ToleratedForm(.textKeyID, at: "\(object).deviceKeyInfo.deviceKey") { utopia in
            try await issued(utopia) { object in
                object.change("deviceKeyInfo") { $0.change("deviceKey") { $0.set(2, "key-1") } }
            }
        },
        ToleratedForm(.textIdentifier, at: "\(object).status.identifier_list.id") { utopia in
            try await issued(utopia) { object in
                object.set("status", ["identifier_list": ["id": "7", "uri": "https://example.org/list"]])
            }
        },
    ]

    /// The licence with a change outside of what is signed.
    private static func changed(_ utopia: Utopia, _ change: (inout CBOR) -> Void) async throws -> [UInt8] {
        var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        change(&credential)
        return credential.encoded()
    }

    /// The licence with a changed mobile security object, properly signed.
    private static func issued(_ utopia: Utopia, _ change: (inout CBOR) -> Void) async throws -> [UInt8] {
        let options = MdocReadingOptions(tolerances: MdocTolerance.ofMessages)
        return [UInt8](try await utopia.licence(options: options, changing: change).encodedBytes)
    }

    /// The licence with the issuer's signature in another form.
    private static func signed(
        _ utopia: Utopia,
        _ algorithm: COSEAlgorithm = .es256,
        protected: COSEHeaderMap = [:],
        unprotected: COSEHeaderMap = [:]
    ) async throws -> [UInt8] {
        let licence = try await utopia.licence()
        var headers = protected
        headers[.alg] = .integer(algorithm.rawValue)
        let issuerAuth = try await COSESign1.sign(
            [UInt8](licence.mobileSecurityObject.taggedBytes),
            headers: COSEHeaders(protected: headers, unprotected: unprotected),
            with: SoftwareSigner(utopia.documentSignerKey)
        )
        var credential = try CBOR(decoding: [UInt8](licence.encodedBytes))
        try credential.change("issuerAuth") { $0 = try CBOR(decoding: issuerAuth.encoded(tagged: false)) }
        return credential.encoded()
    }
}

// MARK: Requests

extension ToleratedForm {
    static let requests: [ToleratedForm] = [
        ToleratedForm(.nonPreferredEncoding, at: "") { utopia in
            [0xb9, 0x00, 0x02] + (try await request(utopia)).dropFirst()
        },
        ToleratedForm(.indefiniteLength, at: "") { utopia in
            [0xbf] + (try await request(utopia)).dropFirst() + [0xff]
        },
        ToleratedForm(.taggedCOSE, at: "docRequests[0].readerAuth") { utopia in
            var message = try CBOR(decoding: await request(utopia))
            message.change("docRequests") { $0.change(0) { $0.change("readerAuth") { $0 = .tagged(18, $0) } } }
            return message.encoded()
        },
        ToleratedForm(.arrayOfOneCertificate, at: "docRequests[0].readerAuth") { utopia in
            var message = try CBOR(decoding: await request(utopia))
            message.change("docRequests") { requests in
                requests.change(0) {
                    $0.change("readerAuth") { $0.change(1) { $0.change(33 as CBOR) { $0 = .array([$0]) } } }
                }
            }
            return message.encoded()
        },
        ToleratedForm(.protectedX5chain, at: "docRequests[0].readerAuth") { utopia in
            try await request(utopia, protected: [.x5chain: .certificates([utopia.reader])], unprotected: [:])
        },
        ToleratedForm(.fullySpecifiedAlgorithm, at: "docRequests[0].readerAuth") { utopia in
            try await request(utopia, .esp256)
        },
        ToleratedForm(.textKeyID, at: "macKeys[0]") { utopia in
            let keyBytes = try SessionEstablishment.eReaderKeyBytes(for: utopia.ephemeralReaderKey.publicKey)
            var key = try CBOR(decoding: keyBytes).embedded
            key.set(2, "key-1")
            var message = try CBOR(decoding: await request(utopia))
            message.set("version", "1.1")
            message.set("macKeys", [key])
            return message.encoded()
        },
        ToleratedForm(.requestVersion, at: "") { utopia in
            let keyBytes = try SessionEstablishment.eReaderKeyBytes(for: utopia.ephemeralReaderKey.publicKey)
            var message = try CBOR(decoding: await request(utopia))
            message.set("macKeys", [try CBOR(decoding: keyBytes).embedded])
            return message.encoded()
        },
        ToleratedForm(.emptyMember, at: "deviceRequestInfo") { utopia in
            var message = try CBOR(decoding: await request(utopia))
            message.set("version", "1.1")
            message.set("deviceRequestInfo", .tagged(24, .bytes([0xa0])))
            return message.encoded()
        },
        ToleratedForm(.emptyMember, at: "docRequests[0].itemsRequest<24><<>>.requestInfo") { utopia in
            let items = try ItemsRequest.received(["family_name": false], requestInfo: [:], options: .deployed)
            return try await request(utopia, asking: items)
        },
        ToleratedForm(.emptyMember, at: "docRequests[0].itemsRequest<24><<>>.requestInfo.issuerIdentifiers") { utopia in
            let items = try ItemsRequest.received(
                ["family_name": false],
                requestInfo: ["issuerIdentifiers": []],
                options: .deployed
            )
            return try await request(utopia, asking: items)
        },
        ToleratedForm(.emptyMember, at: "readerAuthAll") { utopia in
            var message = try CBOR(decoding: await request(utopia))
            message.set("version", "1.1")
            message.set("readerAuthAll", [])
            return message.encoded()
        },
        ToleratedForm(.earlierZkRequest, at: "\(zkRequest).systemSpecs[0]", zkRequest) { utopia in
            var info = DocRequestInfo()
            info.zkRequest = ZkRequest(
                systemSpecs: [.init(zkSystemID: "1", system: "longfellow", params: [:])],
                zkRequired: false
            )
            let items = try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]], requestInfo: info)
            var content = try CBOR(decoding: items.taggedBytes).embedded
            content.change("requestInfo") { info in
                info.set("zkRequest", ["systemSpecs": [["id": "1", "system": "longfellow"]]])
            }
            let earlier: CBOR = .tagged(24, .bytes(content.encoded()))
            let unsigned: CBOR = ["version": "1.1", "docRequests": [["itemsRequest": earlier]]]
            let read = try DeviceRequest(decoding: unsigned.encoded(), options: .deployed)
            return try await request(utopia, asking: read.docRequests[0].itemsRequest)
        },
    ]

    private static let zkRequest = "docRequests[0].itemsRequest<24><<>>.requestInfo.zkRequest"

    /// A request that the reader signed.
    private static func request(
        _ utopia: Utopia,
        _ algorithm: COSEAlgorithm = .es256,
        protected: COSEHeaderMap = [:],
        unprotected: COSEHeaderMap? = nil,
        asking other: ItemsRequest? = nil
    ) async throws -> [UInt8] {
        let items = try other ?? ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]])
        var headers = protected
        headers[.alg] = .integer(algorithm.rawValue)
        let readerAuth = try await COSESign1.sign(
            ReaderAuthentication(sessionTranscript: utopia.transcript, itemsRequest: items).taggedBytes,
            detached: true,
            headers: COSEHeaders(
                protected: headers,
                unprotected: unprotected ?? [.x5chain: .certificates([utopia.reader])]
            ),
            with: SoftwareSigner(utopia.readerKey)
        )
        return [UInt8](try DeviceRequest(docRequests: [DocRequest(items, readerAuth: readerAuth)]).encodedBytes)
    }
}

// MARK: Engagements

extension ToleratedForm {
    static let engagements: [ToleratedForm] = [
        ToleratedForm(.nonPreferredEncoding, at: "") { _ in
            [0xb9, 0x00, 0x03] + (try engagement()).dropFirst()
        },
        ToleratedForm(.indefiniteLength, at: "") { _ in [0xbf] + (try engagement()).dropFirst() + [0xff] },
        ToleratedForm(.textKeyID, at: "{1}[1]<24><<>>") { _ in
            try engagement { engagement in
                engagement.change(1 as CBOR) { security in
                    security.change(1) { key in
                        guard var map = try? key.embedded else { return }
                        map.set(2, "key-1")
                        key = .tagged(24, .bytes(map.encoded()))
                    }
                }
            }
        },
        ToleratedForm(.engagementVersion, at: "") { _ in try engagement { $0.set(0, "1.1") } },
        ToleratedForm(.capabilitiesWithoutOrigins, at: "") { _ in
            try engagement {
                $0.set(0, "1.1")
                $0.set(6, [2: true])
            }
        },
        ToleratedForm(.repeatedRetrievalMethod, at: "") { _ in
            try engagement {
                $0.change(2 as CBOR) { methods in
                    if case .array(let members) = methods { methods = .array(members + members) }
                }
            }
        },
        ToleratedForm(.foreignBLEOptions, at: "{2}[0][2]") { _ in
            let uuid = CBOR.bytes([UInt8](repeating: 7, count: 16))
            return try engagement { $0.set(2, [[2, 1, [0: false, 1: true, 10: uuid, 11: uuid, 21: 192]]]) }
        },
        ToleratedForm(.missingRetrievalMethods, at: "") { _ in try engagement { $0.set(2, nil) } },
    ]

    private static func engagement(_ change: (inout CBOR) -> Void = { _ in }) throws -> [UInt8] {
        let key = try PrivateKey.generate(.p256)
        let engagement = try DeviceEngagement(
            eDeviceKey: key.publicKey,
            retrievalMethods: [.nfc(NFCExamples.options(255, 256))]
        )
        var value = try CBOR(decoding: [UInt8](engagement.encodedBytes))
        change(&value)
        return value.encoded()
    }
}

extension CBOR {
    /// An x5chain of these certificates.
    fileprivate static func certificates(_ certificates: [Certificate]) -> CBOR {
        COSEHeaderMap.certificates(certificates.map(\.derBytes))
    }
}
