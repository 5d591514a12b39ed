#if Redis
import Crypto

/// A script that a server runs as one step, so that no other command comes between its reads and its writes.
///
/// A session is a hash: `g` its generation in 16 hexadecimal digits, `n` its number, `x` its expiry in milliseconds, `v`
/// its value, `s` the list of its secondary keys. A secondary key is a string: the generation and the key of its session.
/// One that leads to a session of another generation counts as absent. The store's time decides about expiry; the
/// server's time to live only frees memory.
///
/// A change is published before it is written: where the user may not publish, the script ends with nothing changed.
/// Readers that hear of it ask the server, which answers them after the script.
struct RedisScript: Sendable {
    let text: String
    private let digest: [UInt8]

    init(_ text: String) {
        self.text = text
        let hex = Insecure.SHA1.hash(data: Array(text.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        digest = Array(hex.joined().utf8)
    }

    func command(keys: [[UInt8]], arguments: [[UInt8]], isChange: Bool) -> RedisCommand {
        command("EVALSHA", digest, keys, arguments, isChange)
    }

    func fullCommand(keys: [[UInt8]], arguments: [[UInt8]], isChange: Bool) -> RedisCommand {
        command("EVAL", Array(text.utf8), keys, arguments, isChange)
    }

    private func command(
        _ name: String,
        _ script: [UInt8],
        _ keys: [[UInt8]],
        _ arguments: [[UInt8]],
        _ isChange: Bool
    ) -> RedisCommand {
        RedisCommand([Array(name.utf8), script, Array("\(keys.count)".utf8)] + keys + arguments, isChange: isChange)
    }

    /// The secondary keys of a list, each behind its length in four bytes.
    private static let list = """
        local function list(s)
            local keys, i = {}, 1
            while i <= #s do
                local a, b, c, d = string.byte(s, i, i + 3)
                local size = ((a * 256 + b) * 256 + c) * 256 + d
                keys[#keys + 1] = string.sub(s, i + 4, i + 3 + size)
                i = i + 4 + size
            end
            return keys
        end

        """

    /// Inserts a session.
    ///
    /// Keys: the session, its secondary keys. Arguments: time, time to live, generation, number, expiry, value, list,
    /// key, start of the names of sessions. Result: 0, or 1 for an existing key, 2 for an existing secondary key.
    static let insert = RedisScript(
        """
        local x = redis.call('HGET', KEYS[1], 'x')
        if x and tonumber(x) > tonumber(ARGV[1]) then return 1 end
        for i = 2, #KEYS do
            local p = redis.call('GET', KEYS[i])
            if p then
                local o = redis.call('HMGET', ARGV[9] .. string.sub(p, 17), 'g', 'x')
                if o[1] == string.sub(p, 1, 16) and tonumber(o[2]) > tonumber(ARGV[1]) then return 2 end
            end
        end
        redis.call('HSET', KEYS[1], 'g', ARGV[3], 'n', ARGV[4], 'x', ARGV[5], 'v', ARGV[6], 's', ARGV[7])
        redis.call('PEXPIRE', KEYS[1], ARGV[2])
        for i = 2, #KEYS do redis.call('SET', KEYS[i], ARGV[3] .. ARGV[8], 'PX', ARGV[2]) end
        return 0
        """
    )

    /// Finds a session by a secondary key.
    ///
    /// Keys: the secondary key. Arguments: start of the names of sessions. Result: the fields and the key, or nothing.
    static let find = RedisScript(
        """
        local p = redis.call('GET', KEYS[1])
        if not p then return false end
        local key = string.sub(p, 17)
        local o = redis.call('HMGET', ARGV[1] .. key, 'g', 'n', 'x', 'v', 's')
        if o[1] ~= string.sub(p, 1, 16) then return false end
        o[6] = key
        return o
        """
    )

    /// Swaps a value.
    ///
    /// Keys: the session. Arguments: time, time to live, generation, number, next number, expiry, value, start of the
    /// names of secondary keys, key, channel. Result: 0, or 3 for no session, or the number of another version.
    static let swap = RedisScript(
        list + """
            local o = redis.call('HMGET', KEYS[1], 'g', 'n', 'x', 's')
            if not o[1] or tonumber(o[3]) <= tonumber(ARGV[1]) then return 3 end
            if o[1] ~= ARGV[3] or o[2] ~= ARGV[4] then return o[2] end
            redis.call('PUBLISH', ARGV[10], ARGV[9])
            redis.call('HSET', KEYS[1], 'n', ARGV[5], 'x', ARGV[6], 'v', ARGV[7])
            if o[3] ~= ARGV[6] then
                redis.call('PEXPIRE', KEYS[1], ARGV[2])
                for _, key in ipairs(list(o[4])) do
                    if redis.call('GET', ARGV[8] .. key) == o[1] .. ARGV[9] then
                        redis.call('PEXPIRE', ARGV[8] .. key, ARGV[2])
                    end
                end
            end
            return 0
            """
    )

    /// Deletes a session.
    ///
    /// Keys: the session. Arguments: time, generation or nothing, number, start of the names of secondary keys, key,
    /// channel. Result: 1, or 0 for no session, or the number of another version.
    static let delete = RedisScript(
        list + """
            local o = redis.call('HMGET', KEYS[1], 'g', 'n', 'x', 's')
            if not o[1] or tonumber(o[3]) <= tonumber(ARGV[1]) then return 0 end
            if ARGV[2] ~= '' and (o[1] ~= ARGV[2] or o[2] ~= ARGV[3]) then return o[2] end
            redis.call('PUBLISH', ARGV[6], ARGV[5])
            redis.call('DEL', KEYS[1])
            for _, key in ipairs(list(o[4])) do
                if redis.call('GET', ARGV[4] .. key) == o[1] .. ARGV[5] then redis.call('DEL', ARGV[4] .. key) end
            end
            return 1
            """
    )
}
#endif
