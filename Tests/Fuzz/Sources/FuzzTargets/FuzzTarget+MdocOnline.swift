import JSONKit
import MdocElements
import MdocKit
import MdocProximity
import MdocResults

extension FuzzTarget {
    /// The parsers of MdocKit for retrieval over the internet, and for results and data elements in JSON.
    package static let mdocOnline = [
        FuzzTarget(name: "mdoc-reader-engagement") { bytes in
            let engagement = try ReaderEngagement(decoding: bytes, options: .deployed)
            let again = try ReaderEngagement(link: engagement.link, options: .deployed)
            require(again.encodedBytes == bytes[...], "a link keeps every byte")
        },
        FuzzTarget(name: "mdoc-reader-engagement-link") { bytes in
            let engagement = try ReaderEngagement(link: String(decoding: bytes, as: UTF8.self), options: .deployed)
            require(
                try ReaderEngagement(link: engagement.link, options: .deployed).link == engagement.link,
                "a link reads back"
            )
        },
        FuzzTarget(name: "mdoc-digital-credentials-request") { bytes in
            let request = try MdocDigitalCredentialsRequest(json: JSONValue(parsing: bytes), options: .deployed)
            let again = try MdocDigitalCredentialsRequest(json: request.json, options: .deployed)
            require(again.encryptionInfo.text == request.encryptionInfo.text, "the text is kept")
            require(again.deviceRequest.encodedBytes == request.deviceRequest.encodedBytes, "so is the request")
        },
        FuzzTarget(name: "mdoc-digital-credentials-response") { bytes in
            let response = try MdocDigitalCredentialsResponse(json: JSONValue(parsing: bytes), options: .deployed)
            let again = try MdocDigitalCredentialsResponse(json: response.json)
            require(again.enc == response.enc && again.cipherText == response.cipherText, "what is written reads back")
        },
        FuzzTarget(name: "mdoc-apple-wallet-envelope") { bytes in
            let envelope = try AppleWalletEnvelope(decoding: bytes, options: .deployed)
            require(envelope.data.count < bytes.count, "the content is in the envelope")
        },
        FuzzTarget(name: "mdoc-encryption-parameters") { bytes in
            let parameters = try EncryptionParameters(taggedBytes: bytes, options: .deployed)
            require(parameters.taggedBytes == bytes, "the received bytes are kept")
        },
        FuzzTarget(name: "mdoc-online-result") { bytes in
            let result = try StrictJSONDecoder().decode(OnlinePresentationSessionResult.self, from: bytes)
            let written = try StrictJSONEncoder().encode(result)
            let again = try StrictJSONDecoder().decode(OnlinePresentationSessionResult.self, from: written)
            require(try StrictJSONEncoder().encode(again) == written, "what is written reads back")
        },
        FuzzTarget(name: "mdoc-data-elements") { bytes in
            guard let object = try JSONValue(parsing: bytes).objectValue else { return }
            for schema in [nil] + DataElementSchema.known {
                guard let elements = try? DataElements(json: object, schema: schema) else { continue }
                _ = schema?.deviations(of: elements)
                let plain = try DataElements(json: elements.json)
                require(plain.json.count == elements.json.count, "what is written reads back")
            }
        },
    ]
}
