import CBORKit
import COSEKit
import CryptoCore
import JSONKit
import MdocKit
import TestSupport
import Testing

@Suite struct DigitalCredentialsTests {
    private static let origin = "https://reader.example"

    /// A request, what answers it, and the reader's key.
    private struct Exchange {
        let key: PrivateKey
        let request: MdocDigitalCredentialsRequest
        let received: MdocDigitalCredentialsRequest

        init() throws {
            key = try PrivateKey.generate(.p256)
            let info = try MdocDigitalCredentialsEncryptionInfo(recipientKey: key.publicKey)
            request = MdocDigitalCredentialsRequest(deviceRequest: try SessionFixture.request(), encryptionInfo: info)
            received = try MdocDigitalCredentialsRequest(json: JSONValue(parsing: request.json.encoded()))
        }
    }

    private func info(changing change: (inout CBOR) -> Void) throws -> String {
        let key = try PrivateKey.generate(.p256)
        let text = try MdocDigitalCredentialsEncryptionInfo(recipientKey: key.publicKey).text
        var value = try CBOR(decoding: JSONBase64.base64url.decode(text))
        change(&value)
        return JSONBase64.base64url.encode(value.encoded())
    }

    @Test func aPresentationThroughTheBrowser() async throws {
        let utopia = try await Utopia()
        let exchange = try Exchange()
        let transcript = exchange.received.encryptionInfo.sessionTranscript(origin: Self.origin)
        let prepared = try await PreparedMdocDocument(
            utopia.licence().limitDisclosures(docRequest: exchange.received.deviceRequest.docRequests[0]),
            sessionTranscript: transcript
        )
        let answer = try DeviceResponse(documents: [await prepared.signed(with: SoftwareSigner(utopia.deviceKey))])
        let sent = try MdocDigitalCredentialsResponse(
            encrypting: answer,
            for: exchange.received.encryptionInfo,
            origin: Self.origin
        )
        let response = try await MdocDigitalCredentialsResponse(json: JSONValue(parsing: sent.json.encoded()))
            .decrypted(
                with: exchange.key,
                encryptionInfo: exchange.request.encryptionInfo,
                origin: Self.origin
            )
        let verification = await utopia.verifier().verify(
            response,
            sessionTranscript: exchange.request.encryptionInfo.sessionTranscript(origin: Self.origin),
            request: exchange.request.deviceRequest
        )
        #expect(verification.verifiedDocuments.count == 1)
    }

    @Test func theRequestTravels() throws {
        let exchange = try Exchange()
        #expect(exchange.received.encryptionInfo.text == exchange.request.encryptionInfo.text)
        #expect(exchange.received.encryptionInfo.nonce == exchange.request.encryptionInfo.nonce)
        #expect(exchange.received.encryptionInfo.recipientPublicKey == exchange.key.publicKey)
        #expect(exchange.received.deviceRequest.encodedBytes == exchange.request.deviceRequest.encodedBytes)
    }

    /// The transcript by hand: null, null, and the digest of the text and the origin.
    @Test func theTextIsHashedAsSent() throws {
        let text = try info { value in
            value.change(1) { $0.set("more", "an extension") }
        }
        let info = try MdocDigitalCredentialsEncryptionInfo(text: text)
        #expect(info.text == text)
        let hashed: CBOR = [.text(text), .text(Self.origin)]
        let expected: CBOR = [
            nil, nil, ["dcapi", .bytes(HashAlgorithm.sha256.digest(of: hashed.encoded()))],
        ]
        #expect(info.sessionTranscript(origin: Self.origin).encodedBytes == expected.encoded())
    }

    @Test func namesOfTheProtocol() {
        #expect(MdocDigitalCredentialsRequest.protocolIdentifier == "org-iso-mdoc")
        #expect(MdocDigitalCredentialsRequest.isProtocolIdentifier("org-iso-mdoc"))
        #expect(MdocDigitalCredentialsRequest.isProtocolIdentifier("org.iso.mdoc"))
        #expect(!MdocDigitalCredentialsRequest.isProtocolIdentifier("openid4vp"))
        #expect(!MdocDigitalCredentialsRequest.isProtocolIdentifier("ORG-ISO-MDOC"))
    }

    @Test func bothSpellingsOfTheResponseAreRead() throws {
        let exchange = try Exchange()
        let sent = try MdocDigitalCredentialsResponse(
            encrypting: DeviceResponse(documents: []),
            for: exchange.received.encryptionInfo,
            origin: Self.origin
        )
        let text = try #require(sent.json["response"]?.stringValue)
        let printed = try MdocDigitalCredentialsResponse(json: ["Response": .string(text)])
        #expect(printed.enc == sent.enc)
        #expect(sent.enc.count == 65)
        let both = try MdocDigitalCredentialsResponse(json: ["Response": "AA", "response": .string(text)])
        #expect(both.cipherText == sent.cipherText)
    }

    @Test func whateverDiffersCannotBeDecrypted() async throws {
        let exchange = try Exchange()
        let info = exchange.request.encryptionInfo
        let sent = try MdocDigitalCredentialsResponse(
            encrypting: DeviceResponse(documents: []),
            for: info,
            origin: Self.origin
        )
        let other = try MdocDigitalCredentialsEncryptionInfo(recipientKey: exchange.key.publicKey)
        let cases: [(PrivateKey, MdocDigitalCredentialsEncryptionInfo, String, MdocError.Code?)] = [
            (exchange.key, info, Self.origin, nil),
            (exchange.key, info, "https://attacker.example", .decryptionFailed),
            (exchange.key, info, Self.origin + "/", .decryptionFailed),
            (exchange.key, other, Self.origin, .decryptionFailed),
            (try .generate(.p256), info, Self.origin, .decryptionFailed),
            (try .generate(.p384), info, Self.origin, .unsupportedKey),
        ]
        for (key, info, origin, code) in cases {
            var refusal: MdocError?
            do throws(MdocError) {
                _ = try await sent.decrypted(with: key, encryptionInfo: info, origin: origin)
            } catch {
                refusal = error
            }
            #expect(refusal?.code == code)
        }
    }

    @Test func noncesAreLongEnough() throws {
        let key = try PrivateKey.generate(.p256).publicKey
        #expect(try MdocDigitalCredentialsEncryptionInfo(recipientKey: key).nonce.count == 32)
        for (count, isGood) in [(0, false), (15, false), (16, true)] {
            let nonce = [UInt8](repeating: 1, count: count)
            var refusal: MdocError?
            do throws(MdocError) {
                _ = try MdocDigitalCredentialsEncryptionInfo(recipientKey: key, nonce: nonce)
            } catch {
                refusal = error
            }
            #expect(refusal?.code == (isGood ? nil : .invalidValue))
        }
    }

    @Test func keysOfOtherCurvesAreRefused() throws {
        for curve: EllipticCurve in [.p384, .x25519] {
            let key = try PrivateKey.generate(curve).publicKey
            let built = #expect(throws: MdocError.self) { try MdocDigitalCredentialsEncryptionInfo(recipientKey: key) }
            #expect(built?.code == .unsupportedKey)
            let encoded = try CBOR(decoding: COSEKey(publicKey: key).encoded())
            let text = try info { $0.change(1) { $0.set("recipientPublicKey", encoded) } }
            let read = #expect(throws: MdocError.self) { try MdocDigitalCredentialsEncryptionInfo(text: text) }
            #expect(read?.code == .unsupportedKey)
        }
    }

    @Test func structuresThatAreRefused() throws {
        let cases: [(MdocError.Code, (inout CBOR) -> Void)] = [
            (.invalidValue, { $0.change(0) { $0 = "other" } }),
            (.unexpectedType, { $0.change(0) { $0 = 1 } }),
            (.invalidValue, { $0 = ["dcapi"] }),
            (.unexpectedType, { $0 = [:] }),
            (.missingMember, { $0.change(1) { $0.set("nonce", nil) } }),
            (.unexpectedType, { $0.change(1) { $0.set("nonce", "text") } }),
            (.missingMember, { $0.change(1) { $0.set("recipientPublicKey", nil) } }),
            (.malformedCOSE, { $0.change(1) { $0.set("recipientPublicKey", [:]) } }),
        ]
        for (code, change) in cases {
            let text = try info(changing: change)
            let error = #expect(throws: MdocError.self) { try MdocDigitalCredentialsEncryptionInfo(text: text) }
            #expect(error?.code == code)
        }
    }

    @Test(
        arguments: [
            [:], ["deviceRequest": "AA"], ["encryptionInfo": "AA"], ["deviceRequest": 1, "encryptionInfo": "AA"], [],
            "text",
            ["deviceRequest": "A", "encryptionInfo": "AA"], ["deviceRequest": "AA==", "encryptionInfo": "AA"],
        ] as [JSONValue]
    )
    func objectsThatAreNoRequest(_ json: JSONValue) {
        let error = #expect(throws: MdocError.self) { try MdocDigitalCredentialsRequest(json: json) }
        #expect(error?.code == .malformedJSON || error?.code == .unexpectedType)
    }

    @Test func aTextOverTheLimitIsNotDecoded() throws {
        var options = MdocReadingOptions()
        options.limits.messageSize = 100
        let json: JSONValue = ["response": .string(String(repeating: "A", count: 200))]
        let error = #expect(throws: MdocError.self) { try MdocDigitalCredentialsResponse(json: json, options: options) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func damagedResponsesAreRefused() async throws {
        let exchange = try Exchange()
        let info = exchange.request.encryptionInfo
        let sent = try MdocDigitalCredentialsResponse(
            encrypting: DeviceResponse(documents: []),
            for: info,
            origin: Self.origin
        )
        let good = try JSONBase64.base64url.decode(#require(sent.json["response"]?.stringValue))
        var mutator = Mutator(seed: 8)
        for _ in 0..<200 {
            let bad = mutator.mutate(good)
            let json: JSONValue = ["response": .string(JSONBase64.base64url.encode(bad))]
            do throws(MdocError) {
                let response = try await MdocDigitalCredentialsResponse(json: json).decrypted(
                    with: exchange.key,
                    encryptionInfo: info,
                    origin: Self.origin
                )
                #expect(response.documents.isEmpty)
            } catch {
                #expect(error.code != .limitExceeded)
            }
        }
    }
}
