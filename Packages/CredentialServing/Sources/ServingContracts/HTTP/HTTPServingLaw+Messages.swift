import CredentialServing
import CredentialTransport
import HTTPTypes

extension HTTPServingLaw {
    static let messages: [HTTPServingLaw] = [
        HTTPServingLaw("the engine sees method, path, query and header, and its answer arrives") { world in
            let engine = try RoutedEngine([
                .post("/session/{id}") { request in
                    let id = try request.parameters.text("id")
                    let text = try "\(request.method.rawValue) \(id) \(request.query.text("q")) \(header(request))"
                    var response = ServerResponse.text(text, status: .created)
                    response.headerFields[.location] = "/there"
                    return response
                }
            ])
            try await world.run(engine) { client in
                let request = InMemoryRequest.post("/session/a%2Fb?q=x%20y", headerFields: [.userAgent: "law"])
                let response = try await client.response(to: request)
                try requireEqual(response.status.code, 201)
                try requireEqual(String(decoding: response.body, as: UTF8.self), "POST a/b x y law")
                try requireEqual(response.headerFields[.location], "/there")
                try requireEqual(response.headerFields[.contentLength], "16")
            }
        },
        HTTPServingLaw("HEAD has the header of GET and no body") { world in
            try await world.run(RoutedEngine([.get("/") { _ in .text("hello") }])) { client in
                let response = try await client.response(to: InMemoryRequest(.head, "/"))
                try requireEqual(response.status.code, 200)
                try requireEqual(response.headerFields[.contentLength], "5")
                try requireEqual(response.body, [])
            }
        },
        HTTPServingLaw("a status without a body has none") { world in
            try await world.run(RoutedEngine([.get("/") { _ in ServerResponse(.noContent, body: .bytes([1])) }])) {
                client in
                let response = try await client.response(to: .get("/"))
                try requireEqual(response.status.code, 204)
                try requireEqual(response.headerFields[.contentLength], nil)
                try requireEqual(response.body, [])
            }
        },
        HTTPServingLaw("unknown paths, methods and errors are refused by the engine's answer") { world in
            let engine = try RoutedEngine([.get("/x") { _ in throw HTTPServingLawViolation(description: "secret") }])
            try await world.run(engine) { client in
                let unknown = try await client.response(to: .get("/y"))
                try requireEqual(unknown.status.code, 404)
                let method = try await client.response(to: .post("/x"))
                try requireEqual(method.status.code, 405)
                try requireEqual(method.headerFields[.allow], "GET, HEAD, OPTIONS")
                let failed = try await client.response(to: .get("/x"))
                try requireEqual(failed.status.code, 500)
                try require(!String(decoding: failed.body, as: UTF8.self).contains("secret"), "tells a secret")
            }
        },
        HTTPServingLaw("a preflight request is answered") { world in
            let policy = try CORSPolicy(origins: .exactly(["https://shop.example"]))
            let options = RoutedEngineOptions(cors: policy)
            try await world.run(RoutedEngine([.get("/") { _ in .text("") }], options: options)) { client in
                let fields: HTTPFields = [.origin: "https://shop.example", .accessControlRequestMethod: "GET"]
                let response = try await client.response(to: InMemoryRequest(.options, "/", headerFields: fields))
                try requireEqual(response.status.code, 204)
                try requireEqual(response.headerFields[.accessControlAllowOrigin], "https://shop.example")
                try requireEqual(response.headerFields[.accessControlAllowMethods], "GET, HEAD, OPTIONS")
            }
        },
        HTTPServingLaw("the engine sees the client's address, by a listed proxy's word only") { world in
            let engine = try RoutedEngine([.get("/") { .text($0.remoteAddress?.description ?? "none") }])
            let fields: HTTPFields = [try forwardedFor: "203.0.113.7"]
            try await world.run(engine) { client in
                let response = try await client.response(to: .get("/", headerFields: fields))
                try requireEqual(String(decoding: response.body, as: UTF8.self), "127.0.0.1")
            }
            let proxies = TrustedProxies([try AddressRange("127.0.0.0/8")], field: .xForwardedFor)
            try await world.run(engine.behind(proxies)) { client in
                let response = try await client.response(to: .get("/", headerFields: fields))
                try requireEqual(String(decoding: response.body, as: UTF8.self), "203.0.113.7")
            }
        },
    ]

    private static func header(_ request: ServerRequest) -> String {
        request.headerFields[.userAgent] ?? "none"
    }

    private static var forwardedFor: HTTPField.Name {
        get throws {
            guard let name = HTTPField.Name("X-Forwarded-For") else {
                throw HTTPServingLawViolation(description: "no name of a field")
            }
            return name
        }
    }
}
